#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace megadapt::corpus {

/// Splits the records of a table into fields: CSV (RFC 4180) at commas, TSV at tabs.
///
///     Records::State state = records.start(line);
///     while (state == Records::State::open) state = records.go_on(next_line());
class Records {
 public:
  enum class State {
    whole,
    open,  ///< a quoted field goes on in the next line
    bad,   ///< text follows a closing quote
  };

  explicit Records(bool csv) : separator_(csv ? ',' : '\t'), quotes_(csv) {}

  State start(std::string_view line);
  State go_on(std::string_view line);
  /// The fields of a whole record, without quotes. Valid until the next call.
  const std::vector<std::string_view>& fields() const { return fields_; }
  /// Whether any field so far was in quotes.
  bool had_quotes() const { return had_quotes_; }

 private:
  State split(std::string_view line);
  // Copies a quoted field up to its closing quote.
  State copy_quoted(std::string_view& line);
  void set_fields();

  char separator_;
  bool quotes_;
  bool had_quotes_ = false;
  // A copy, because a record may span several lines, of which only the last is readable.
  std::string record_;
  std::vector<std::size_t> ends_;
  std::vector<std::string_view> fields_;
};

/// The first records of a table, from which its form is guessed.
struct TableSample {
  std::vector<std::vector<std::string>> records;  ///< the header first; fields trimmed
  std::size_t irregular = 0;  ///< records with another number of fields than the first
  bool had_quotes = false;

  /// The `lines` must be complete. An incomplete last record is left out.
  TableSample(const std::vector<std::string_view>& lines, bool csv);

  bool is_regular() const { return irregular == 0; }
  std::size_t columns() const { return records.empty() ? 0 : records[0].size(); }
  /// Whether a field of the first record occurs again below, so that it is not a header.
  bool first_repeats() const;
  std::size_t distinct(std::size_t column) const;  ///< values below the header
  double mean_length(std::size_t column) const;    ///< of the values below the header
  /// How many values below the header have several words.
  std::size_t several_words(std::size_t column) const;
  bool is_numeric(std::size_t column) const;  ///< every value below the header is a number
};

/// Whether every field could be the name of a column: distinct, not empty, one word that
/// begins with a letter or `_`. `words` allows up to three words.
bool are_names(const std::vector<std::string>& fields, bool words);

/// Returns the complete lines of a sample of a file, at most 64, without their ends.
/// `whole` says that the sample is the whole file.
std::vector<std::string_view> sample_lines(std::string_view sample, bool whole);

}  // namespace megadapt::corpus
