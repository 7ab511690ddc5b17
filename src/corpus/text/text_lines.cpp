// Raw text: every line is a document, even an empty one, so that answers match lines.

#include <utility>

#include "corpus/line_rows.hpp"
#include "corpus/readers.hpp"

namespace megadapt::corpus {
namespace {

class TextRows final : public LineRows {
 public:
  TextRows(LineReader lines, const ReadOptions& options)
      : LineRows(std::move(lines), Format::text, options) {}

 private:
  bool parse(std::string_view line, Row& row) override {
    row.features.clear();
    row.text = line;
    row.from_text = true;
    return true;
  }
};

}  // namespace

std::unique_ptr<RowReader> read_text(LineReader lines, const ReadOptions& options) {
  if (options.labelled) {
    throw InputError(
        {lines.file()}, "lines of raw text have no labels",
        "give CSV, TSV or JSON Lines with a label; 'megadapt predict --no-labels' labels "
        "raw text");
  }
  return std::make_unique<TextRows>(std::move(lines), options);
}

}  // namespace megadapt::corpus
