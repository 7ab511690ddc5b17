// The entry points of libFuzzer. MEGADAPT_FUZZ_TARGET names the target.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/targets.hpp"

namespace {

const megadapt::fuzz::Target* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("MEGADAPT_FUZZ_TARGET");
  for (const auto& known : megadapt::fuzz::targets()) {
    if (name != nullptr && known.name == name) target = &known;
  }
  if (target != nullptr) return 0;
  std::fputs("MEGADAPT_FUZZ_TARGET names none of the targets\n", stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
