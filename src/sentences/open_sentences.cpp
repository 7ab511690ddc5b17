#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/messages.hpp"
#include "corpus/fields.hpp"
#include "corpus/readers.hpp"
#include "sentences/readers.hpp"

namespace megadapt {
namespace sentences {
namespace {

constexpr std::size_t kSample = std::size_t{1} << 16;

std::vector<std::string_view> lines_of(std::string_view sample, bool whole) {
  std::vector<std::string_view> lines;
  while (!sample.empty()) {
    const std::size_t end = sample.find('\n');
    if (end == sample.npos && !whole && !lines.empty()) break;
    lines.push_back(sample.substr(0, end));
    if (lines.back().ends_with('\r')) lines.back().remove_suffix(1);
    if (end == sample.npos) break;
    sample.remove_prefix(end + 1);
  }
  return lines;
}

std::size_t count_fields(std::string_view line, bool tabs) {
  if (tabs) return 1 + static_cast<std::size_t>(std::ranges::count(line, '\t'));
  std::size_t count = 0;
  for (; !(line = corpus::skip_separators(line)).empty(); ++count) corpus::take_field(line);
  return count;
}

// Columns separated by spaces: all lines have the same number of words, or are blank.
bool is_spaced_conll(const std::vector<std::string_view>& lines) {
  std::size_t width = 0, tokens = 0;
  bool blank = false;
  for (const std::string_view line : lines) {
    if (line.starts_with("# ")) continue;
    if (is_blank(line)) {
      blank |= tokens > 0;
      continue;
    }
    const std::size_t count = count_fields(line, false);
    if (width == 0) width = count;
    if (count != width) return false;
    ++tokens;
  }
  return width > 1 && tokens > 1 && blank;
}

SentenceFormat guess(std::string_view sample, bool whole) {
  const std::vector<std::string_view> lines = lines_of(sample, whole);
  for (const std::string_view line : lines) {
    if (is_blank(line) || (line.starts_with('#') && line.find('\t') == line.npos)) continue;
    if (corpus::skip_separators(line).starts_with('{')) return SentenceFormat::jsonl;
    if (line.find('\t') == line.npos) {
      return is_spaced_conll(lines) ? SentenceFormat::conll : SentenceFormat::text;
    }
    const bool numbered = line[0] >= '0' && line[0] <= '9';
    return numbered && count_fields(line, true) == kConlluColumns ? SentenceFormat::conllu
                                                                  : SentenceFormat::conll;
  }
  return SentenceFormat::conll;
}

}  // namespace

std::unique_ptr<SentenceReader> open_sentences(std::unique_ptr<corpus::ByteSource> source,
                                               const std::string& name,
                                               const SentenceOptions& options,
                                               std::size_t buffer_size) {
  corpus::LineReader lines(corpus::decompressed(std::move(source), name), name,
                           buffer_size);
  const std::string_view sample = lines.peek(kSample);
  if (sample.empty() && options.labelled) {
    throw InputError({name}, "is empty", "give a file with sentences");
  }
  corpus::refuse_foreign(sample, name);
  SentenceFormat format = options.format;
  if (format == SentenceFormat::guess) format = guess(sample, lines.peeked_all());
  switch (format) {
    case SentenceFormat::text:
      return read_text(std::move(lines), options);
    case SentenceFormat::jsonl:
      return read_json(std::move(lines), options);
    default:
      return read_conll(std::move(lines), format, options);
  }
}

}  // namespace sentences

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 5> kSentenceFormats = {"guess", "conll", "conllu",
                                                              "text", "jsonl"};

}  // namespace

SentenceFormat parse_sentence_format(std::string_view name) {
  return static_cast<SentenceFormat>(
      1 + index_of_name(name, std::span(kSentenceFormats).subspan(1),
                        "no format of sentences is called '{}'"));
}

std::string_view sentence_format_name(SentenceFormat format) {
  return kSentenceFormats[static_cast<std::size_t>(format)];
}

std::unique_ptr<SentenceReader> open_sentences(const std::string& path,
                                               const SentenceOptions& options) {
  return sentences::open_sentences(corpus::open_stored(path, options.stop, options.digest),
                                   corpus::display_name(path), options);
}

}  // namespace megadapt
