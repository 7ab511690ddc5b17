#include <fmt/format.h>

#include <algorithm>

#include "container/container.hpp"
#include "megadapt/error.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kLookedAt = 512;

bool is_text(std::string_view start) {
  return std::none_of(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
}

struct Guess {
  std::string_view what;
  std::string_view fix;
};

Guess guess(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.empty()) return {"the file is empty", "train the model again"};
  if (kMagic.starts_with(start)) {
    return {"the file ends within its first word", "copy the file again"};
  }
  if (start.starts_with("\x1f\x8b"sv)) {
    return {"this is a gzip file", "unpack it first with gunzip"};
  }
  if (start.starts_with("\x28\xb5\x2f\xfd"sv)) {
    return {"this is a zstd file", "unpack it first with unzstd"};
  }
  if (start.starts_with("PK\x03\x04"sv)) {
    return {"this is a zip file",
            "unpack it first, or give a file made by 'megadapt train'"};
  }
  if (start.starts_with(kTextMagic)) {
    return {"this is the text form of a model",
            "turn it into one with 'megadapt model import'"};
  }
  if (is_text(start)) {
    return {"this is a text file, not a model",
            "the model comes first, then the data: give a file made by 'megadapt train'"};
  }
  return {"this is not a megadapt model", "give a file made by 'megadapt train'"};
}

}  // namespace

void refuse_foreign(std::span<const std::byte> file, const std::string& name) {
  const std::string_view all(reinterpret_cast<const char*>(file.data()), file.size());
  if (all.starts_with(kMagic)) return;
  const Guess found = guess(all.substr(0, kLookedAt));
  throw ModelFileError(fmt::format("{}: {}", name, found.what), std::string(found.fix));
}

}  // namespace megadapt
