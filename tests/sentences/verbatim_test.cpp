// Writing without tags gives back the input byte for byte. Writing with tags does so after
// the new column is removed.

#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include "sentences/read_sentences.hpp"

namespace megadapt {
namespace {

struct Written {
  std::string plain, tagged;
};

Written write_all(const std::string& text, const SentenceOptions& options,
                  std::size_t buffer) {
  Written written;
  const auto reader = reader_of(text, options, buffer);
  Sentence sentence;
  while (reader->next(sentence)) {
    append_tagged(sentence, reader->format(), {}, written.plain);
    append_tagged(sentence, reader->format(),
                  std::vector<std::string_view>(sentence.size(), "NEW"), written.tagged);
  }
  append_tagged(sentence, reader->format(), {}, written.plain);
  append_tagged(sentence, reader->format(), {}, written.tagged);
  return written;
}

std::string without(std::string text, std::string_view part) {
  for (std::size_t at; (at = text.find(part)) != text.npos;) text.erase(at, part.size());
  return text;
}

// Random lines: tokens, blank lines, comments and documents, with both kinds of line end.
std::string random_columns(char separator) {
  const auto word =
      rc::gen::element<std::string>("a", "Ünal", "#", "don't", "שלום", "é", "x=y", "1-2");
  std::string text;
  const auto lines = *rc::gen::inRange(1, 20);
  for (int i = 0; i < lines; ++i) {
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
      case 1:
        text += *rc::gen::element<std::string>("", " ", "\t");
        break;
      case 2:
        text += *rc::gen::element<std::string>("# doc = d", "# key = value", "# newdoc");
        break;
      default:
        text += *word + separator + *word;
    }
    const bool last = i + 1 == lines;
    text += last ? *rc::gen::element<std::string>("", "\n")
                 : *rc::gen::element<std::string>("\n", "\r\n");
  }
  return text;
}

RC_GTEST_PROP(Verbatim, ColumnsComeBackByteForByte, ()) {
  const char separator = *rc::gen::element('\t', ' ');
  const std::string text =
      *rc::gen::element<std::string>("", "\xef\xbb\xbf") + random_columns(separator);
  const Written written =
      write_all(text, {.format = SentenceFormat::conll, .labelled = false},
                *rc::gen::inRange<std::size_t>(1, 100));
  RC_ASSERT(written.plain == text);
  RC_ASSERT(without(written.tagged, fmt::format("{}NEW", separator)) == text);
}

RC_GTEST_PROP(Verbatim, TextComesBackByteForByte, ()) {
  std::string text;
  for (const int kind : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 8))) {
    constexpr std::array<const char*, 8> kPieces = {"a",  "Éb", " ",    "  ",
                                                    "\t", "\n", "\r\n", "# doc = x\n"};
    text += kPieces[static_cast<std::size_t>(kind)];
  }
  const Written written =
      write_all(text, {.format = SentenceFormat::text, .labelled = false}, 7);
  RC_ASSERT(written.plain == text);
  RC_ASSERT(without(written.tagged, "_NEW") == text);
}

TEST(Verbatim, RangesAndEmptyNodesGetAPlaceholder) {
  const std::string text =
      "1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_\n1\tvamos\tir\tX\t_\t_\t_\t_\t_\t_\n\n";
  const auto all = sentences_of(text, {.labelled = false});
  std::string out;
  append_tagged(all[0], SentenceFormat::conllu, {"VERB"}, out);
  EXPECT_EQ(out,
            "1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "1\tvamos\tir\tX\t_\t_\t_\t_\t_\t_\tVERB\n\n");
}

}  // namespace
}  // namespace megadapt
