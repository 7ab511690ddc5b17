// Reads tables of word vectors: a word and its numbers, as text or as in word2vec's .bin.

#include "words/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/messages.hpp"
#include "corpus/lines.hpp"
#include "corpus/text/utf8.hpp"

namespace megadapt::words {
namespace {

constexpr std::uint32_t kMostDimensions = 10'000;
constexpr std::size_t kLongestWord = 10'000;
constexpr std::string_view kFastTextModel = "\xba\x16\x4f\x2f";
constexpr const char* kTextForm =
    "give a table with a word and its numbers on each line, with spaces between them, as "
    "GloVe, word2vec and fastText (.vec) write it";
constexpr const char* kBinaryForm =
    "give the complete .bin file of word2vec, or the table as text";

/// Adds words to a table, each with a vector of length 1.
class TableBuilder {
 public:
  explicit TableBuilder(std::uint32_t dimension) { table_.dimension = dimension; }
  /// Makes room for `words` words, or for fewer if that is much: the number may be wrong.
  void expect(std::uint64_t words) {
    constexpr std::size_t kMostNumbers = std::size_t{1} << 25;
    const auto numbers = std::min<std::uint64_t>(words, kMostVectors) * table_.dimension;
    table_.values.reserve(std::min<std::uint64_t>(numbers, kMostNumbers));
  }

  bool full() const { return read_ == kMostVectors; }
  std::size_t num_read() const { return read_; }
  void add(std::string_view word, std::span<const float> values) {
    ++read_;
    double square = 0;
    for (const float value : values) square += double{value} * double{value};
    if (word.empty() || square == 0 || word.find_first_of("\t\n\r") != word.npos) return;
    const std::uint32_t before = table_.words.size();
    if (table_.words.add(word) < before) return;
    const double scale = 1 / std::sqrt(square);  // may be too large for a float
    for (const float value : values) {
      table_.values.push_back(static_cast<float>(double{value} * scale));
    }
  }
  VectorTable finish(const std::string& file) {
    if (table_.words.size() == 0) {
      throw InputError({file}, "has no word with a vector", kTextForm);
    }
    return std::move(table_);
  }

 private:
  VectorTable table_;
  std::size_t read_ = 0;
};

/// The sizes that the first line of word2vec and fastText gives.
struct Header {
  std::uint64_t words = 0;
  std::uint32_t dimension = 0;
};

template <class Number>
bool parse_all(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string_view without_end(std::string_view line) {
  while (line.ends_with(' ') || line.ends_with('\r') || line.ends_with('\t')) {
    line.remove_suffix(1);
  }
  return line;
}

bool parse_header(std::string_view line, Header& header) {
  line = without_end(line);
  const std::size_t space = line.find(' ');
  return space != line.npos && parse_all(line.substr(0, space), header.words) &&
         parse_all(line.substr(space + 1), header.dimension);
}

/// A table as text.
class TextTable {
 public:
  TextTable(corpus::LineReader& lines) : lines_(lines) {}

  VectorTable read() {
    Header header;
    std::string_view line;
    bool has_line = lines_.next(line);
    const bool has_header = has_line && parse_header(line, header);
    if (has_header) {
      has_line = lines_.next(line);
    } else if (has_line) {
      const std::string_view fields = without_end(line);
      header.dimension = static_cast<std::uint32_t>(
          std::min<std::ptrdiff_t>(std::ranges::count(fields, ' '), kMostDimensions + 1));
    }
    check_dimension(header.dimension, line);
    TableBuilder builder(header.dimension);
    values_.resize(header.dimension);
    for (; has_line && !builder.full(); has_line = lines_.next(line)) {
      if (line.empty()) continue;
      const std::string_view word = parse(without_end(line));
      builder.add(word, values_);
    }
    check_complete(builder, header);
    return builder.finish(lines_.file());
  }

 private:
  // Refuses a table with fewer words than its header says. Without a header, header.words
  // is 0, which any table reaches.
  void check_complete(const TableBuilder& builder, const Header& header) const {
    if (builder.full() || builder.num_read() >= header.words) return;
    throw InputError(
        {lines_.file(), lines_.line_number()},
        fmt::format("ends after {} of the {} words that the first line announces",
                    builder.num_read(), header.words),
        "give the complete file, or write the right number of words into its first line");
  }

  void check_dimension(std::uint32_t dimension, std::string_view line) const {
    if (dimension >= 2 && dimension <= kMostDimensions) return;
    if (line.starts_with("word\tclass")) {
      throw InputError({lines_.file(), lines_.line_number(), excerpt(line)},
                       "is a table of classes, not of vectors",
                       "give it with --word-classes");
    }
    fail(line,
         fmt::format("vectors of {} numbers, not 2 to {}", dimension, kMostDimensions));
  }

  // Sets values_ and returns the word. The numbers are the last fields, because words of
  // some tables contain spaces.
  std::string_view parse(std::string_view line) {
    std::string_view rest = line;
    for (std::size_t i = values_.size(); i-- > 0;) {
      const std::size_t space = rest.rfind(' ');
      if (space == rest.npos) {
        fail(line, fmt::format("{} of {} numbers after the word", values_.size() - i - 1,
                               values_.size()));
      }
      const std::string_view field = rest.substr(space + 1);
      if (!parse_all(field, values_[i]) || !std::isfinite(values_[i])) {
        fail(line, fmt::format("'{}' where number {} of {} was expected", excerpt(field),
                               i + 1, values_.size()));
      }
      rest = rest.substr(0, space);
    }
    float more = 0;  // no table has words such as "b 0.5", but damaged lines look like that
    if (const std::size_t space = rest.rfind(' ');
        space != rest.npos && parse_all(rest.substr(space + 1), more)) {
      fail(line, fmt::format("more than {} numbers after the word", values_.size()));
    }
    return rest;
  }

  [[noreturn]] void fail(std::string_view line, const std::string& problem) const {
    throw InputError({lines_.file(), lines_.line_number(), excerpt(line)}, problem,
                     kTextForm);
  }

  corpus::LineReader& lines_;
  std::vector<float> values_;
};

/// A table of word2vec's .bin: the header, then words, each with a space and its numbers as
/// four bytes of IEEE 754, little endian.
class BinaryTable {
 public:
  BinaryTable(std::unique_ptr<corpus::ByteSource> source, std::string head,
              std::string name)
      : source_(std::move(source)), buffer_(std::move(head)), name_(std::move(name)) {}

  VectorTable read() {
    Header header;
    const std::size_t line = buffer_.find('\n');
    if (!parse_header(std::string_view(buffer_).substr(0, line), header)) {
      fail("it does not begin with the numbers of words and dimensions");
    }
    if (header.dimension < 2 || header.dimension > kMostDimensions) {
      fail(fmt::format("vectors of {} numbers, not 2 to {}", header.dimension,
                       kMostDimensions));
    }
    at_ = line + 1;
    TableBuilder builder(header.dimension);
    builder.expect(header.words);
    values_.resize(header.dimension);
    for (std::uint64_t i = 0; i < header.words && !builder.full(); ++i) {
      const std::string word = take_word(i, header);
      take_values(i, header);
      if (is_text(word)) {
        builder.add(word, values_);
      } else {
        ++foreign_;
      }
    }
    check_words(builder, header);
    return builder.finish(name_);
  }

 private:
  std::string take_word(std::uint64_t index, const Header& header) {
    std::string word;
    for (;;) {
      need(1, index, header);
      const char c = buffer_[at_++];
      if (c == ' ') return word;
      if (c == '\n' && word.empty()) continue;  // after the vector before
      word += c;
      if (word.size() > kLongestWord) {
        fail(fmt::format("word {} has no end", index + 1));
      }
    }
  }

  void take_values(std::uint64_t index, const Header& header) {
    const std::size_t bytes = values_.size() * sizeof(float);
    need(bytes, index, header);
    std::memcpy(values_.data(), buffer_.data() + at_, bytes);
    at_ += bytes;
    for (const float value : values_) {
      if (!std::isfinite(value)) {
        fail(fmt::format("the vector of word {} has a number that is not finite",
                         index + 1));
      }
    }
  }

  // Makes sure that `size` bytes are in the buffer.
  void need(std::size_t size, std::uint64_t index, const Header& header) {
    while (buffer_.size() - at_ < size) {
      buffer_.erase(0, at_);
      offset_ += at_;
      at_ = 0;
      const std::size_t have = buffer_.size();
      buffer_.resize(have + std::max(size, corpus::LineReader::kBufferSize));
      const std::size_t got = source_->read(buffer_.data() + have, buffer_.size() - have);
      buffer_.resize(have + got);
      if (got == 0) {
        fail(fmt::format("ends within word {} of {} (vectors of {} numbers)", index + 1,
                         header.words, header.dimension));
      }
    }
  }

  static bool is_text(std::string_view word) {
    return corpus::check_text(word).good == word.size() &&
           std::ranges::none_of(word, [](unsigned char c) { return c < ' '; });
  }

  // A table may have a few words that are not UTF-8. Many of them mean that the header
  // gives the wrong number of dimensions, so that numbers are read as words.
  void check_words(const TableBuilder& builder, const Header& header) const {
    if (foreign_ <= builder.num_read()) return;
    fail(
        fmt::format("{} of the first {} words are not text; are these vectors of {} "
                    "numbers, as the first line says?",
                    foreign_, foreign_ + builder.num_read(), header.dimension));
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError({name_}, fmt::format("byte {}: {}", offset_ + at_ + 1, problem),
                     kBinaryForm);
  }

  std::unique_ptr<corpus::ByteSource> source_;
  std::string buffer_;  // bytes of the file from offset_ on
  std::string name_;
  std::size_t at_ = 0;
  std::uint64_t offset_ = 0;
  std::size_t foreign_ = 0;  // words that are not text
  std::vector<float> values_;
};

/// Bytes that were read already, then those of a source.
class Continued final : public corpus::ByteSource {
 public:
  Continued(std::string head, std::unique_ptr<corpus::ByteSource> source)
      : head_(std::move(head)), source_(std::move(source)) {}
  std::size_t read(char* to, std::size_t size) override {
    if (used_ == head_.size()) return source_->read(to, size);
    const std::size_t count = std::min(size, head_.size() - used_);
    std::memcpy(to, head_.data() + used_, count);
    used_ += count;
    return count;
  }
  bool may_wait() const override { return source_->may_wait(); }
  std::string sha256() const override { return source_->sha256(); }

 private:
  std::string head_;
  std::size_t used_ = 0;
  std::unique_ptr<corpus::ByteSource> source_;
};

std::string read_head(corpus::ByteSource& source) {
  constexpr std::size_t kHead = 4096;
  std::string head(kHead, '\0');
  std::size_t size = 0;
  while (size < kHead) {
    const std::size_t got = source.read(head.data() + size, kHead - size);
    if (got == 0) break;
    size += got;
  }
  head.resize(size);
  return head;
}

// Returns whether the numbers of the first word contain a character that numbers written as
// text never have. Only a table with a header can be binary.
bool is_binary(std::string_view head) {
  Header header;
  const std::size_t line = head.find('\n');
  if (line == head.npos || !parse_header(head.substr(0, line), header)) return false;
  std::string_view first = head.substr(line + 1);
  const std::size_t space = first.find(' ');
  if (space == first.npos) return false;
  first = first.substr(space + 1, 64);
  first = first.substr(0, first.find('\n'));
  return first.find_first_not_of("0123456789+-.eEinfa \r") != first.npos || first.empty();
}

}  // namespace

VectorTable read_vectors(std::unique_ptr<corpus::ByteSource> source,
                         const std::string& name) {
  std::string head = read_head(*source);
  if (head.empty()) throw InputError({name}, "is empty", kTextForm);
  if (head.starts_with(kFastTextModel)) {
    throw InputError({name}, "is a model of fastText, not a table of vectors",
                     "give the .vec file that fastText wrote beside it");
  }
  if (is_binary(head)) return BinaryTable(std::move(source), std::move(head), name).read();
  corpus::LineReader lines(std::make_unique<Continued>(std::move(head), std::move(source)),
                           name);
  return TextTable(lines).read();
}

VectorTable read_vectors(const std::string& path) {
  const std::string name = corpus::display_name(path);
  return read_vectors(corpus::decompressed(corpus::open_stored(path), name), name);
}

}  // namespace megadapt::words
