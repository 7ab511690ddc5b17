// LIBSVM and SVMlight: LABEL INDEX:VALUE INDEX:VALUE ... # comment

#include <fmt/format.h>

#include <utility>

#include "base/messages.hpp"
#include "corpus/fields.hpp"
#include "corpus/line_rows.hpp"
#include "corpus/readers.hpp"

namespace megadapt::corpus {
namespace {

class LibsvmRows final : public LineRows {
 public:
  LibsvmRows(LineReader lines, const ReadOptions& options)
      : LineRows(std::move(lines), Format::libsvm, options) {}

 private:
  bool parse(std::string_view line, Row& row) override {
    if (line.starts_with('#')) return false;
    std::string_view rest = skip_separators(line);
    if (labelled()) {
      if (rest.empty() || rest.starts_with('#')) return false;
      if (rest.size() < line.size()) fail_no_label();
      row.label = take_field(rest);
      if (row.label.find(':') != row.label.npos) fail_no_label();
    }
    splitter_.split(rest, row.features);
    auto& fields = row.features;
    if (options().labels_optional && !fields.empty() &&
        fields[0].name.find(':') == std::string_view::npos) {
      row.label = fields[0].name;
      fields.erase(fields.begin());
    }
    read_pairs(row);
    row.has_values = true;
    return true;
  }

  // Turns the fields into features in place, without `qid:7` and comments.
  void read_pairs(Row& row) const {
    auto& features = row.features;
    std::size_t kept = 0;
    for (const NamedFeature& field : features) {
      const std::string_view text = field.name;
      if (text.front() == '#') break;
      const std::size_t colon = text.rfind(':');
      if (colon == text.npos || colon + 1 == text.size()) fail_no_value(text);
      const std::string_view name = text.substr(0, colon);
      const std::string_view value = text.substr(colon + 1);
      if (name.empty()) fail_no_name(text);
      if (name == "qid") {
        row.group = value;
        continue;
      }
      NamedFeature& feature = features[kept++];
      feature.name = name;
      if (const char* problem = parse_value(value, feature.value)) {
        fail_value(value, name, problem);
      }
    }
    features.resize(kept);
  }

  [[noreturn]] void fail_no_label() const {
    fail("no label at the start of the line",
         std::string("write LABEL INDEX:VALUE INDEX:VALUE ...") + kUnlabelledHint);
  }
  [[noreturn]] void fail_no_name(std::string_view field) const {
    fail(fmt::format("'{}' has no feature before the colon", excerpt(field)),
         "write INDEX:VALUE");
  }
  [[noreturn]] void fail_no_value(std::string_view field) const {
    fail(fmt::format("feature '{}' has no value", excerpt(field)),
         "write INDEX:VALUE; a file of features without values is --format megam");
  }

  FieldSplitter splitter_;
};

}  // namespace

std::unique_ptr<RowReader> read_libsvm(LineReader lines, const ReadOptions& options) {
  return std::make_unique<LibsvmRows>(std::move(lines), options);
}

}  // namespace megadapt::corpus
