#include <vector>

#include "corpus/readers.hpp"

namespace megadapt::corpus {
namespace {

struct Foreign {
  std::string_view magic;
  const char* problem;
  const char* fix;
};

using namespace std::string_view_literals;

const std::vector<Foreign>& foreign_files() {
  static const std::vector<Foreign> known = {
      {"\xfd"
       "7zXZ\0"sv,
       "is compressed with xz", "decompress it, or pipe it: xz -dc FILE | megadapt ... -"},
      {"BZh91AY&SY"sv, "is compressed with bzip2",
       "decompress it, or pipe it: bzip2 -dc FILE | megadapt ... -"},
      {"PK\x03\x04"sv, "is a zip archive or an office document",
       "unpack it; save a table as CSV"},
      {"%PDF-"sv, "is a PDF document", "give a text file"},
      {"\xff\xfe"sv, "is UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"},
      {"\xfe\xff"sv, "is UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"},
  };
  return known;
}

// A text file may also begin with the word MEGADAPT; a model file has a NUL soon after it.
bool is_model_file(std::string_view head) {
  return head.starts_with("MEGADAPT") && head.substr(0, 64).find('\0') != head.npos;
}

}  // namespace

void refuse_foreign(std::string_view head, const std::string& file) {
  if (is_model_file(head)) {
    throw InputError({file}, "is a megadapt model, not data",
                     "the model comes before the data: megadapt predict MODEL DATA");
  }
  for (const Foreign& kind : foreign_files()) {
    if (head.starts_with(kind.magic)) throw InputError({file}, kind.problem, kind.fix);
  }
}

}  // namespace megadapt::corpus
