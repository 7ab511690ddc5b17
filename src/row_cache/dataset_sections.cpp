#include "row_cache/dataset_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "models/model_sections.hpp"

namespace megadapt {
namespace {

using nlohmann::json;

template <class T>
std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

// Adds numbers that the caller does not keep.
template <class T>
void add_copy(SectionWriter& out, std::string name, SectionType type,
              const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  out.add(std::move(name), type, 1, std::vector(bytes.begin(), bytes.end()));
}

// Writes many texts as one.
void add_texts(SectionWriter& out, const std::string& name, auto size, auto text_of) {
  std::string bytes;
  std::vector<std::uint64_t> ends;
  for (std::size_t i = 0; i < size; ++i) {
    bytes += text_of(i);
    ends.push_back(bytes.size());
  }
  out.add(name + "/bytes", SectionType::chars, 1,
          copied(std::as_bytes(std::span(std::as_const(bytes)))));
  add_copy(out, name + "/ends", SectionType::u64, ends);
}

void add_names_of(SectionWriter& out, const std::string& prefix, const NameIndex& names) {
  add_index(out, prefix, names.view());
}

NameIndex names_of(const SectionReader& in, const std::string& prefix) {
  return NameIndex(read_index(in, prefix));
}

void add_soft_labels(SectionWriter& out, const std::string& prefix,
                     const SoftLabels& soft) {
  if (soft.empty()) return;
  std::vector<std::uint32_t> label;
  std::vector<float> share;
  for (const LabelShare& one : soft.shares) {
    label.push_back(one.label);
    share.push_back(one.share);
  }
  out.add(prefix + "soft/row", soft.row);
  out.add(prefix + "soft/begin", soft.begin);
  add_copy(out, prefix + "soft/label", SectionType::u32, label);
  add_copy(out, prefix + "soft/share", SectionType::f32, share);
}

SoftLabels read_soft_labels(const SectionReader& in, const std::string& prefix) {
  SoftLabels soft;
  if (!in.has(prefix + "soft/row")) return soft;
  soft.row = copied(in.u64(prefix + "soft/row"));
  soft.begin = copied(in.u64(prefix + "soft/begin"));
  const auto label = in.u32(prefix + "soft/label");
  const auto share = in.f32(prefix + "soft/share");
  if (label.size() != share.size()) in.damaged("a label has no share");
  for (std::size_t i = 0; i < label.size(); ++i) {
    soft.shares.push_back({label[i], share[i]});
  }
  return soft;
}

void add_row_texts(SectionWriter& out, const std::string& prefix, const Dataset& data) {
  if (!data.text.empty()) {
    add_texts(out, prefix + "text", data.text.size(),
              [&](std::size_t n) -> const std::string& { return data.text[n]; });
  }
  if (data.origin.empty()) return;
  std::vector<std::uint64_t> number;
  for (const RowOrigin& origin : data.origin) number.push_back(origin.number);
  add_copy(out, prefix + "origin/number", SectionType::u64, number);
  add_texts(out, prefix + "origin/id", data.origin.size(),
            [&](std::size_t n) -> const std::string& { return data.origin[n].id; });
}

void read_row_texts(const SectionReader& in, const std::string& prefix, Dataset& data) {
  if (in.has(prefix + "text/ends")) {
    const NameIndexView texts = read_names(in, prefix + "text");
    for (std::uint32_t n = 0; n < texts.size(); ++n) data.text.emplace_back(texts.name(n));
  }
  if (!in.has(prefix + "origin/number")) return;
  const auto number = in.u64(prefix + "origin/number");
  const NameIndexView ids = read_names(in, prefix + "origin/id");
  if (ids.size() != number.size()) in.damaged("a row has no id");
  for (std::uint32_t n = 0; n < number.size(); ++n) {
    data.origin.push_back({number[n], std::string(ids.name(n))});
  }
}

// The few facts that are no arrays. Throws json::exception for a name that is not UTF-8.
std::string facts_text(const Dataset& data) {
  json sources = json::array();
  for (const SourceFile& source : data.sources) {
    sources.push_back(
        {source.file, source.sha256, source.rows, source.domain, source.unlabelled});
  }
  return json{{"sources", sources},
              {"guessed_lines", data.guessed_lines},
              {"tag_templates", data.tag_slots.templates}}
      .dump();
}

void read_facts(const std::string& text, Dataset& data) {
  const json facts = parse_json(text);
  for (const json& source : facts.at("sources")) {
    data.sources.push_back(
        {source.at(0), source.at(1), source.at(2), source.at(3), source.at(4)});
  }
  data.guessed_lines = facts.at("guessed_lines");
  data.tag_slots.templates = facts.at("tag_templates");
}

// Whether every id is below `end`, or is kNone if that is allowed. Counts instead of
// stopping, so that the compiler can vectorize the loop.
bool ids_below(std::uint32_t end, std::span<const std::uint32_t> ids, bool none = false) {
  const std::uint32_t shift = none ? 1 : 0;  // kNone + 1 is 0
  std::size_t bad = 0;
  for (const std::uint32_t id : ids) bad += id + shift >= end + shift;
  return bad == 0;
}

// Whether the positions begin with 0, never decrease, and end with `end`.
bool divide(std::span<const std::uint64_t> begin, std::uint64_t end) {
  if (begin.empty() || begin.front() != 0 || begin.back() != end) return false;
  std::size_t falls = 0;
  for (std::size_t i = 1; i < begin.size(); ++i) falls += begin[i] < begin[i - 1];
  return falls == 0;
}

bool one_per_row(const auto& values, std::size_t rows) {
  return values.empty() || values.size() == rows;
}

bool fit(const SoftLabels& soft, std::size_t rows, std::uint32_t labels) {
  return soft.begin.size() == soft.row.size() + 1 &&
         divide(soft.begin, soft.shares.size()) &&
         std::ranges::adjacent_find(soft.row, std::greater_equal()) == soft.row.end() &&
         (soft.row.empty() || soft.row.back() < rows) &&
         std::ranges::all_of(soft.shares, [&](const LabelShare& one) {
           return one.label < labels && one.share > 0 && one.share <= 1;
         });
}

bool fit(const TagSlots& slots, const Dataset& data) {
  const std::size_t width = data.num_labels() + std::size_t{1};
  if (slots.feature.size() % width != 0 || slots.feature.size() / width >= kNone) {
    return false;
  }
  const auto count = static_cast<std::uint32_t>(slots.feature.size() / width);
  return slots.slot.size() == data.num_examples() * slots.templates &&
         ids_below(count, slots.slot, true) &&
         ids_below(data.num_features(), slots.feature, true);
}

// Returns which part of the rows is impossible, or "".
std::string fault(const Dataset& data) {
  const SparseRows& rows = data.rows;
  if (!divide(rows.begin, rows.feature.size())) return "the ends of the rows";
  const std::size_t n = rows.size();
  if (n == 0) return "the number of rows";
  if (!one_per_row(rows.value, rows.feature.size()) ||
      !ids_below(data.num_features(), rows.feature)) {
    return "the features of the rows";
  }
  if (data.label.size() != n || !ids_below(data.num_labels(), data.label, true) ||
      !fit(data.soft, n, data.num_labels())) {
    return "the labels of the rows";
  }
  if (data.domain.size() != n || !ids_below(data.num_domains(), data.domain)) {
    return "the domains of the rows";
  }
  if (data.weight.size() != n) return "the weights of the rows";
  if (!one_per_row(data.group, n) || !ids_below(data.groups().size(), data.group, true)) {
    return "the groups of the rows";
  }
  if ((data.is_sequences() && !divide(data.sentence_begin, n)) ||
      !fit(data.tag_slots, data)) {
    return "the sentences";
  }
  const bool texts = one_per_row(data.text, n) && one_per_row(data.origin, n);
  return texts ? "" : "the texts of the rows";
}

}  // namespace

void add_schema(SectionWriter& out, const Schema& schema) {
  add_names_of(out, "features", schema.features);
  add_names_of(out, "labels", schema.labels);
  add_names_of(out, "domains", schema.domains);
  add_binning(out, schema.binning);
  add_scaling(out, schema.scaling);
  std::string of_tags;
  for (const bool of_tag : schema.tag_feature) of_tags += of_tag ? '1' : '0';
  out.add("tag_feature", of_tags);
  out.add("scheme", std::string(scheme_name(schema.scheme)));
}

std::shared_ptr<const Schema> read_schema(const SectionReader& in) {
  auto schema = std::make_shared<Schema>();
  schema->features = names_of(in, "features");
  schema->labels = names_of(in, "labels");
  schema->domains = names_of(in, "domains");
  schema->binning = read_binning(in);
  schema->scaling = read_scaling(in, schema->features.size());
  const std::string of_tags = in.text("tag_feature");
  if (!one_per_row(of_tags, schema->features.size())) {
    in.damaged("section 'tag_feature' does not fit the features");
  }
  for (const char of_tag : of_tags) schema->tag_feature.push_back(of_tag == '1');
  schema->scheme = parse_scheme(in.text("scheme"));
  return schema;
}

void add_rows(SectionWriter& out, const std::string& prefix, const Dataset& data) {
  out.add(prefix + "facts", facts_text(data));
  out.add(prefix + "begin", data.rows.begin);
  out.add(prefix + "feature", data.rows.feature);
  out.add(prefix + "value", data.rows.value);
  out.add(prefix + "label", data.label);
  add_soft_labels(out, prefix, data.soft);
  out.add(prefix + "domain", data.domain);
  out.add(prefix + "weight", data.weight);
  out.add(prefix + "group", data.group);
  add_names_of(out, prefix + "group_names", *data.group_names);
  out.add(prefix + "sentence_begin", data.sentence_begin);
  out.add(prefix + "tag_slots/slot", data.tag_slots.slot);
  out.add(prefix + "tag_slots/feature", data.tag_slots.feature);
  add_row_texts(out, prefix, data);
}

Dataset read_rows(const SectionReader& in, const std::string& prefix,
                  std::shared_ptr<const Schema> schema) try {
  Dataset data;
  data.schema = std::move(schema);
  read_facts(in.text(prefix + "facts"), data);
  data.rows.begin = copied(in.u64(prefix + "begin"));
  data.rows.feature = copied(in.u32(prefix + "feature"));
  data.rows.value = copied(in.f32(prefix + "value"));
  data.label = copied(in.u32(prefix + "label"));
  data.soft = read_soft_labels(in, prefix);
  data.domain = copied(in.u32(prefix + "domain"));
  data.weight = copied(in.f32(prefix + "weight"));
  data.group = copied(in.u32(prefix + "group"));
  data.group_names = std::make_shared<NameIndex>(names_of(in, prefix + "group_names"));
  data.sentence_begin = copied(in.u64(prefix + "sentence_begin"));
  data.tag_slots.slot = copied(in.u32(prefix + "tag_slots/slot"));
  data.tag_slots.feature = copied(in.u32(prefix + "tag_slots/feature"));
  read_row_texts(in, prefix, data);
  if (const std::string part = fault(data); !part.empty()) {
    in.damaged(fmt::format("{} contradict the other sections", part));
  }
  return data;
} catch (const json::exception& error) {
  in.damaged(error.what());
}

}  // namespace megadapt
