#include "corpus/row_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/messages.hpp"

namespace megadapt::corpus {
namespace {

[[noreturn]] void refuse(const Place& place, const std::string& problem,
                         const std::string& fix) {
  throw InputError(place, problem, fix);
}

constexpr const char* kUseJson = "use --to jsonl, which holds any name and every field";

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// Base of the formats that consist of separated words: checks what a word can hold.
class WordWriter : public RowWriter {
 public:
  WordWriter(std::string_view format, bool lossy) : format_(format), lossy_(lossy) {}

 protected:
  void check_word(std::string_view word, const char* kind, const Place& place) const {
    if (word.find_first_of(std::string_view(" \t\r\n\0", 5)) == word.npos) return;
    refuse(place,
           fmt::format("the {} '{}' has white space inside, which {} cannot hold", kind,
                       excerpt(word), format_),
           kUseJson);
  }

  void check_label(const Row& row, const Place& place) const {
    if (row.label.empty()) {
      refuse(place, fmt::format("the row has no label, which {} needs", format_), kUseJson);
    }
    check_lost(!row.shares.empty(), "label with probabilities", place);
    check_word(row.label, "label", place);
    if (row.label.front() == '#') {
      refuse(place, fmt::format("the label '{}' would begin a comment", excerpt(row.label)),
             kUseJson);
    }
  }

  // Refuses a field that would be lost, unless the user agreed with --lossy.
  void check_lost(bool present, const char* field, const Place& place) const {
    if (!present || lossy_) return;
    refuse(place, fmt::format("the row has a {}, which {} cannot hold", field, format_),
           "use --to jsonl, or --lossy to leave it out");
  }

 private:
  std::string_view format_;
  bool lossy_;
};

class MegamWriter final : public WordWriter {
 public:
  MegamWriter(Format format, bool lossy)
      : WordWriter(format_name(format), lossy), pairs_(format == Format::megam_fvals) {}

  void write(const Row& row, const Place& place, std::string& out) override {
    check_label(row, place);
    check_lost(!row.domain.empty(), "domain", place);
    check_lost(!row.group.empty(), "group", place);
    check_lost(!row.id.empty(), "id", place);
    out += row.label;
    out += '\t';
    if (row.weight != 1) append(out, "$$$WEIGHT {} ", row.weight);
    bool first = true;
    for (const NamedFeature& feature : row.features) {
      check_feature(feature, place);
      if (!std::exchange(first, false)) out += ' ';
      out += feature.name;
      if (pairs_) append(out, " {}", feature.value);
    }
    out += '\n';
  }

 private:
  void check_feature(const NamedFeature& feature, const Place& place) const {
    check_word(feature.name, "feature", place);
    if (feature.name.starts_with("$$$")) {
      refuse(place,
             fmt::format("the feature '{}' looks like a directive of MEGAM",
                         excerpt(feature.name)),
             kUseJson);
    }
    if (!pairs_ && feature.value != 1) {
      refuse(place,
             fmt::format("the feature '{}' has the value {}", excerpt(feature.name),
                         feature.value),
             "use --to megam-fvals, which holds values");
    }
  }

  bool pairs_;
};

class LibsvmWriter final : public WordWriter {
 public:
  LibsvmWriter(bool lossy, NameIndex* vocabulary)
      : WordWriter("libsvm", lossy), vocabulary_(vocabulary) {}

  void write(const Row& row, const Place& place, std::string& out) override {
    check_label(row, place);
    if (row.label.find(':') != row.label.npos) {
      refuse(place,
             fmt::format("the label '{}' has a colon inside, which libsvm cannot hold",
                         excerpt(row.label)),
             kUseJson);
    }
    check_lost(row.weight != 1, "weight", place);
    check_lost(!row.domain.empty(), "domain", place);
    check_lost(!row.id.empty(), "id", place);
    out += row.label;
    if (!row.group.empty()) {
      check_word(row.group, "group", place);
      append(out, " qid:{}", row.group);
    }
    number_features(row, place);
    for (const auto& [index, value] : numbered_) append(out, " {}:{}", index, value);
    out += '\n';
  }

 private:
  // Sorts and merges features: readers of this format need ascending, unique indices.
  void number_features(const Row& row, const Place& place) {
    numbered_.clear();
    for (const NamedFeature& feature : row.features) {
      numbered_.emplace_back(index_of(feature.name, place), feature.value);
    }
    std::stable_sort(numbered_.begin(), numbered_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    auto kept = numbered_.begin();
    for (auto at = numbered_.begin(); at != numbered_.end(); ++at) {
      if (kept != numbered_.begin() && std::prev(kept)->first == at->first) {
        if (row.has_values) std::prev(kept)->second += at->second;
      } else {
        *kept++ = *at;
      }
    }
    numbered_.erase(kept, numbered_.end());
  }

  std::uint64_t index_of(std::string_view name, const Place& place) {
    if (vocabulary_) {
      check_word(name, "feature", place);
      return std::uint64_t{vocabulary_->add(name)} + 1;
    }
    std::uint32_t index = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, index);
    if (error == std::errc() && stop == end && index > 0 && name.front() != '0')
      return index;
    refuse(place,
           fmt::format("the feature '{}' is not a whole number from 1, which libsvm needs",
                       excerpt(name)),
           "add --vocabulary FILE to number the features and keep their names there");
  }

  NameIndex* vocabulary_;
  std::vector<std::pair<std::uint64_t, float>> numbered_;
};

class JsonWriter final : public RowWriter {
 public:
  void write(const Row& row, const Place&, std::string& out) override {
    out += '{';
    if (!row.id.empty()) append(out, R"("id":{},)", quoted(row.id));
    if (!row.label.empty()) write_label(row, out);
    if (!row.domain.empty()) append(out, R"("domain":{},)", quoted(row.domain));
    if (!row.group.empty()) append(out, R"("group":{},)", quoted(row.group));
    if (row.weight != 1) append(out, R"("weight":{},)", row.weight);
    out += R"("features":)";
    row.has_values ? write_values(row, out) : write_names(row, out);
    out += "}\n";
  }

 private:
  static std::string quoted(std::string_view text) { return nlohmann::json(text).dump(); }

  static void write_label(const Row& row, std::string& out) {
    if (row.shares.empty()) return append(out, R"("label":{},)", quoted(row.label));
    out += R"("label":)";
    for (const NamedShare& one : row.shares) {
      append(out, "{}{}:{}", &one == row.shares.data() ? "{" : ",", quoted(one.label),
             one.share);
    }
    out += "},";
  }

  static void write_names(const Row& row, std::string& out) {
    out += '[';
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      append(out, "{}{}", i == 0 ? "" : ",", quoted(row.features[i].name));
    }
    out += ']';
  }

  // Keys of an object are unique, so the values of a repeated feature are added up, as in
  // training.
  void write_values(const Row& row, std::string& out) {
    sums_ = row.features;
    std::stable_sort(sums_.begin(), sums_.end(),
                     [](const auto& a, const auto& b) { return a.name < b.name; });
    out += '{';
    for (std::size_t i = 0; i < sums_.size();) {
      float value = 0;
      const std::string_view name = sums_[i].name;
      append(out, "{}{}:", i == 0 ? "" : ",", quoted(name));
      for (; i < sums_.size() && sums_[i].name == name; ++i) value += sums_[i].value;
      append(out, "{}", value);
    }
    out += '}';
  }

  std::vector<NamedFeature> sums_;
};

}  // namespace

std::unique_ptr<RowWriter> make_row_writer(Format format, bool lossy,
                                           NameIndex* vocabulary) {
  switch (format) {
    case Format::megam:
    case Format::megam_fvals:
      return std::make_unique<MegamWriter>(format, lossy);
    case Format::libsvm:
      return std::make_unique<LibsvmWriter>(lossy, vocabulary);
    case Format::jsonl:
      return std::make_unique<JsonWriter>();
    default:
      throw UsageError(fmt::format("cannot write {}", format_name(format)),
                       "write megam, megam-fvals, libsvm or jsonl");
  }
}

}  // namespace megadapt::corpus
