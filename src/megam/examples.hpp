#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus/fields.hpp"
#include "corpus/lines.hpp"
#include "megadapt/dataset.hpp"
#include "megam/options.hpp"

namespace megadapt::megam {

inline constexpr std::string_view kBias = "**BIAS**";

/// A line of a MEGAM file. Views are valid until the next line is read.
struct Line {
  std::string_view label;
  double weight = 1;
  /// The features of each class with -explicit, else one list for all.
  std::vector<std::vector<NamedFeature>> lists;
};

/// Reads a MEGAM file line by line; skips blank lines and comments. Throws InputError.
class LineParser {
 public:
  enum class Section { train, dev, test };

  explicit LineParser(const Options& options);
  bool next(Line& line);
  Section section() const { return section_; }  ///< of the last line
  /// The class of the last line as a number. Not for -nc, where classes have names.
  std::uint32_t class_of(const Line& line) const;
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;

 private:
  bool begins_section(std::string_view text);
  void parse(std::string_view text, Line& line);
  void take_weight(std::string_view& rest, Line& line) const;
  void pair_up(std::vector<NamedFeature>& fields) const;

  const Options& options_;
  corpus::LineReader lines_;
  corpus::FieldSplitter splitter_;
  std::vector<NamedFeature> fields_;
  std::string_view text_;
  Section section_ = Section::train;
};

/// Examples as numbers. Example n has the rows [begin[n], begin[n + 1]): one row, or with
/// -explicit one row for each class.
struct Examples {
  SparseRows rows;
  std::vector<std::uint64_t> begin{0};  // [N + 1]
  std::vector<std::uint32_t> label;     // [N]
  std::vector<double> weight;           // [N]

  std::size_t size() const { return label.size(); }
};

/// Appends the line with the ids that `id_of(name)` returns; kNone leaves a feature out.
/// Adds up the values of a feature that a list has more than once.
void append(const Line& line, std::uint32_t label,
            const std::function<std::uint32_t(std::string_view)>& id_of, Examples& to);

}  // namespace megadapt::megam
