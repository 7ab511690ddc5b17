#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/messages.hpp"
#include "corpus/fields.hpp"
#include "corpus/readers.hpp"
#include "sentences/prose_splitter.hpp"
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

// Whether these are columns separated by spaces: all lines have the same number of words,
// or are blank. If columns are expected, files with two or three need no blank line.
bool is_spaced_conll(const std::vector<std::string_view>& lines, bool expected) {
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
  if (expected && tokens > 2 && (width == 2 || width == 3)) return true;
  return width > 1 && tokens > 1 && blank;
}

// Whether there is one token per line: every line is a single word, and there are several
// lines.
bool is_one_column(const std::vector<std::string_view>& lines) {
  std::size_t words = 0;
  for (const std::string_view line : lines) {
    if (is_blank(line) || line.starts_with("# ")) continue;
    if (count_fields(line, false) != 1) return false;
    ++words;
  }
  return words > 1;
}

SentenceFormat guess_text(std::string_view sample) {
  return looks_like_prose(sample) ? SentenceFormat::prose : SentenceFormat::text;
}

SentenceFormat guess(std::string_view sample, bool whole, SentenceFormat expected) {
  const std::vector<std::string_view> lines = lines_of(sample, whole);
  for (const std::string_view line : lines) {
    if (is_blank(line) || (line.starts_with('#') && line.find('\t') == line.npos)) continue;
    if (corpus::skip_separators(line).starts_with('{')) return SentenceFormat::jsonl;
    if (line.find('\t') == line.npos) {
      const bool columns =
          is_spaced_conll(lines, expected == SentenceFormat::conll) || is_one_column(lines);
      return columns ? SentenceFormat::conll : guess_text(sample);
    }
    const bool numbered = line[0] >= '0' && line[0] <= '9';
    return numbered && count_fields(line, true) == kConlluColumns ? SentenceFormat::conllu
                                                                  : SentenceFormat::conll;
  }
  return SentenceFormat::conll;
}

// Guesses the format of text whose case is to be restored, which never has columns.
SentenceFormat guess(std::string_view sample, bool whole, const SentenceOptions& options) {
  return options.recase ? guess_text(sample) : guess(sample, whole, options.columns_of);
}

// Returns the options completed by the format of the content and its columns.
SentenceOptions settled(SentenceOptions options, std::string_view sample, bool whole) {
  const bool guessed = options.format == SentenceFormat::guess;
  if (guessed) options.format = guess(sample, whole, options);
  if (options.columns_of == SentenceFormat::guess) return options;
  // In a file of CoNLL-U the first column is never the token. A model that was trained on
  // such columns as `conll` keeps its own.
  const auto is_token = [](const ColumnChoice::Column& c) { return c.name == "token"; };
  const auto token = std::ranges::find_if(options.columns.columns, is_token);
  if (guessed && options.format == SentenceFormat::conllu &&
      options.columns_of == SentenceFormat::conll &&
      token != options.columns.columns.end() && token->index > 0) {
    options.format = SentenceFormat::conll;
  }
  if (options.format != options.columns_of) options.columns = {};
  return options;
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
  const SentenceOptions known = settled(options, sample, lines.peeked_all());
  switch (known.format) {
    case SentenceFormat::text:
      return read_text(std::move(lines), known);
    case SentenceFormat::prose:
      return read_prose(std::move(lines), known);
    case SentenceFormat::jsonl:
      return read_json(std::move(lines), known);
    default:
      return read_conll(std::move(lines), known.format, known);
  }
}

}  // namespace sentences

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 6> kSentenceFormats = {"guess", "conll", "conllu",
                                                              "text",  "jsonl", "prose"};

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
