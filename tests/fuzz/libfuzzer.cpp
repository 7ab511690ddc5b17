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

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t most);

// Every other change of a model stays within one of its sections and keeps its size, so
// that the file can still be read. The target mends the checksums.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (target->name == "model" && seed % 2 == 0) {
    const auto sections =
        megadapt::fuzz::sections_of({reinterpret_cast<const char*>(data), size});
    if (!sections.empty()) {
      const auto& section = sections[seed / 2 % sections.size()];
      LLVMFuzzerMutate(data + section.begin, section.size, section.size);
      return size;
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
