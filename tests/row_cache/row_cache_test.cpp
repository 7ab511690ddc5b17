#include "row_cache/row_cache.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "container/container.hpp"
#include "container/crc32c.hpp"
#include "megadapt/error.hpp"
#include "models/sample_model.hpp"

namespace megadapt {
namespace {

using sample::read_bytes;
using testing::HasSubstr;

class RowCaches : public testing::Test {
 protected:
  RowCaches() {
    write("a.jsonl",
          R"({"label": "x", "features": {"f": 2.5, "g": 1}, "group": "d1", "weight": 2})"
          "\n"
          R"({"label": {"x": 0.25, "y": 0.75}, "features": {"g": 1}, "id": "r2"})"
          "\n"
          R"({"label": "y", "features": {"h": 1}, "domain": "b"})"
          "\n");
    write("b.txt", "x f g\ny g h\n");
    write("more.txt", "f h\nx\tg\n");
    write("t.conll", "the\tDET\ndog\tNOUN\n\nruns\tVERB\n\n");
    write("plain.txt", "the dog\nruns\n");
  }

  std::string path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  RowInput rows() const {
    return {.files = {{"a", path("a.jsonl")}, {"b", path("b.txt")}},
            .texts_of = "",
            .unlabelled = {path("more.txt")},
            .target = "b"};
  }
  RowInput sentences() const {
    return {.files = {{"a", path("t.conll")}},
            .recipe = {.task = TaskOptions{}},
            .unlabelled = {path("plain.txt")},
            .target = "a"};
  }
  RowCache cache_of(const RowInput& input) const { return {path("cache"), input}; }

  static InputRows read(const RowInput& input) {
    InputRows rows;
    rows.data = read_dataset(
        input.files, input.recipe,
        {.skip_bad = input.skip_bad, .texts_of = input.texts_of, .notes = &rows.notes});
    if (input.unlabelled.empty()) return rows;
    rows.data.unlabelled = std::make_shared<Dataset>(
        read_unlabelled(input.unlabelled, rows.data, rows.data.domains().find(input.target),
                        {}, &rows.unlabelled));
    return rows;
  }

  // Stores the rows, loads them and stores them again. The second file equals the first only
  // if nothing was lost on the way.
  InputRows round_trip(const RowInput& input) const {
    const RowCache cache = cache_of(input);
    EXPECT_FALSE(cache.load());
    cache.store(read(input));
    const std::string bytes = read_bytes(cache.file());
    std::optional<InputRows> loaded = cache.load();
    EXPECT_TRUE(loaded);
    cache.store(*loaded);
    EXPECT_EQ(read_bytes(cache.file()), bytes);
    return std::move(*loaded);
  }

  sample::TempFolder folder_;
};

void expect_equal(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.schema->digest(), b.schema->digest());
  EXPECT_EQ(*a.recipe, *b.recipe);
  EXPECT_EQ(a.rows.begin, b.rows.begin);
  EXPECT_EQ(a.rows.feature, b.rows.feature);
  EXPECT_EQ(a.rows.value, b.rows.value);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.soft.row, b.soft.row);
  EXPECT_EQ(a.soft.begin, b.soft.begin);
  EXPECT_EQ(a.soft.shares, b.soft.shares);
  EXPECT_EQ(a.domain, b.domain);
  EXPECT_EQ(a.weight, b.weight);
  EXPECT_EQ(a.group, b.group);
  EXPECT_EQ(a.groups().names(), b.groups().names());
  EXPECT_EQ(a.sentence_begin, b.sentence_begin);
  EXPECT_EQ(a.tag_slots.templates, b.tag_slots.templates);
  EXPECT_EQ(a.tag_slots.slot, b.tag_slots.slot);
  EXPECT_EQ(a.tag_slots.feature, b.tag_slots.feature);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.guessed_lines, b.guessed_lines);
  ASSERT_EQ(a.origin.size(), b.origin.size());
  for (std::size_t n = 0; n < a.origin.size(); ++n) {
    EXPECT_EQ(a.origin[n].number, b.origin[n].number);
    EXPECT_EQ(a.origin[n].id, b.origin[n].id);
  }
  ASSERT_EQ(a.sources.size(), b.sources.size());
  for (std::size_t i = 0; i < a.sources.size(); ++i) {
    EXPECT_EQ(a.sources[i].file, b.sources[i].file);
    EXPECT_EQ(a.sources[i].sha256, b.sources[i].sha256);
    EXPECT_EQ(a.sources[i].rows, b.sources[i].rows);
    EXPECT_EQ(a.sources[i].domain, b.sources[i].domain);
    EXPECT_EQ(a.sources[i].unlabelled, b.sources[i].unlabelled);
  }
  ASSERT_EQ(a.unlabelled == nullptr, b.unlabelled == nullptr);
  if (a.unlabelled) expect_equal(*a.unlabelled, *b.unlabelled);
}

TEST_F(RowCaches, GiveTheRowsThatReadingGives) {
  for (const RowInput& input : {rows(), sentences()}) {
    const InputRows stored = round_trip(input);
    const InputRows fresh = read(input);
    expect_equal(stored.data, fresh.data);
    EXPECT_EQ(stored.unlabelled.labelled, fresh.unlabelled.labelled);
  }
}

TEST_F(RowCaches, ShareSchemaAndRecipeWithTheUnlabelledRows) {
  const Dataset data = round_trip(rows()).data;
  EXPECT_EQ(data.schema, data.unlabelled->schema);
  EXPECT_EQ(data.recipe, data.unlabelled->recipe);
}

TEST_F(RowCaches, KeepBinsAndClassesOfWords) {
  RowInput binned = rows();
  binned.recipe.bins = 2;
  EXPECT_EQ(round_trip(binned).data.binning().features.names(),
            read(binned).data.binning().features.names());
  write("classes.tsv", "word\tkind\ndog\tanimal\nruns\tact\n");
  RowInput classes = sentences();
  classes.recipe.set_classes(read_word_classes(path("classes.tsv")));
  EXPECT_EQ(*round_trip(classes).data.recipe, *read(classes).data.recipe);
}

TEST_F(RowCaches, KeepWhatReadingNoticed) {
  RowInput input = rows();
  input.recipe.label_map = {{"", "none", "x", 7}, {"", "y", "", 8}};
  const InputRows stored = round_trip(input);
  EXPECT_GT(stored.notes.dropped_rows, 0u);
  EXPECT_EQ(stored.notes.dropped_rows, read(input).notes.dropped_rows);
  ASSERT_EQ(stored.notes.unused_rules.size(), 1u);
  EXPECT_EQ(stored.notes.unused_rules[0], input.recipe.label_map[0]);
}

// A changed input must have another file.
TEST_F(RowCaches, DependOnEverythingThatChangesRows) {
  std::vector<std::string> names;
  const auto add = [&](const RowInput& input) { names.push_back(cache_of(input).file()); };
  RowInput input = rows();
  add(input);
  input.recipe.min_count = 2;
  add(input);
  input.recipe.label_map_file = "other.tsv";
  add(input);
  input.skip_bad = true;
  add(input);
  input.texts_of = "a";
  add(input);
  input.texts_of = {};
  add(input);
  input.target = "a";
  add(input);
  ASSERT_FALSE(input.unlabelled.empty());
  std::ofstream(input.unlabelled[0], std::ios::app) << "f h\n";
  add(input);
  input.unlabelled.clear();
  add(input);
  input.files[0].domain = "c";
  add(input);
  std::swap(input.files[0], input.files[1]);
  add(input);
  write("b.txt", "x f g\ny g i\n");
  add(input);
  for (const char* classes : {"dog\tanimal\n", "dog\tpet\n"}) {
    write("classes.tsv", std::string("word\tkind\n") + classes);
    input.recipe.text.classes = read_word_classes(path("classes.tsv"));
    add(input);
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST_F(RowCaches, DoNotDependOnTheTargetOfLabelledRows) {
  RowInput input = rows();
  input.unlabelled.clear();
  const std::string file = cache_of(input).file();
  input.target = "a";
  EXPECT_EQ(cache_of(input).file(), file);
}

TEST_F(RowCaches, RefuseAnInputThatChangedMeanwhile) {
  const RowInput input = rows();
  const RowCache cache = cache_of(input);
  const InputRows read_before = read(input);
  write("b.txt", "x f g\n");
  EXPECT_THROW(cache.store(read_before), UsageError);
  EXPECT_FALSE(std::filesystem::exists(cache.file()));
}

TEST_F(RowCaches, RefuseWhatCannotBeStoredExactly) {
  RowInput latin = rows();
  latin.recipe.columns.label = "\xe9t\xe9";
  const RowCache cache = cache_of(latin);
  InputRows found = read(rows());
  found.data.recipe = std::make_shared<Recipe>(latin.recipe);
  EXPECT_THROW(cache.store(found), UsageError);
  EXPECT_TRUE(std::filesystem::is_empty(path("cache")));
}

TEST_F(RowCaches, RefuseStandardInputAndBadFolders) {
  EXPECT_THROW(RowCache(path("cache"), {.files = {{"a", "-"}}}), UsageError);
  EXPECT_THROW(RowCache(path("cache"), {.files = {{"a", "/dev/null"}}}), UsageError);
  EXPECT_THROW(RowCache(path("cache"), {.files = {{"a", path("none")}}}), InputError);
  EXPECT_THROW(RowCache(path("b.txt"), rows()), UsageError);
}

class DamagedRows : public RowCaches {
 protected:
  DamagedRows() : input_(rows()), cache_(cache_of(input_)) {
    cache_.store(read(input_));
    whole_ = read_bytes(cache_.file());
  }
  // Returns whether the rows of this file are used.
  bool loads(const std::string& bytes) const {
    std::ofstream(cache_.file(), std::ios::binary) << bytes;
    try {
      return cache_.load().has_value();
    } catch (const ModelFileError&) {
      return false;
    }
  }
  static std::string flipped(std::string bytes, std::size_t at) {
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    return bytes;
  }

  RowInput input_;
  RowCache cache_;
  std::string whole_;
};

TEST_F(DamagedRows, AreNeverUsed) {
  for (std::size_t at = 0; at < kHeaderBytes; ++at) {
    EXPECT_FALSE(loads(flipped(whole_, at))) << at;
  }
  const auto bytes = std::as_bytes(std::span(whole_));
  const Container container(bytes, "");
  for (const auto& entry : container.entries()) {
    const std::size_t step = entry.name.ends_with("/slots") ? 509 : 3;
    for (std::size_t i = 0; i < entry.bytes.size(); i += step) {
      const auto at = static_cast<std::size_t>(&entry.bytes[i] - bytes.data());
      EXPECT_FALSE(loads(flipped(whole_, at))) << entry.name << " " << i;
    }
  }
  EXPECT_TRUE(loads(whole_));
}

TEST_F(DamagedRows, CutFilesAreNeverUsed) {
  for (std::size_t size = 0; size < whole_.size(); size += 101) {
    EXPECT_FALSE(loads(whole_.substr(0, size))) << size;
  }
  EXPECT_FALSE(loads(whole_ + "x"));
}

TEST_F(DamagedRows, RowsOfAnotherInputAreNeverUsed) {
  RowInput other = rows();
  other.recipe.bias = false;
  const RowCache others = cache_of(other);
  others.store(read(other));
  EXPECT_FALSE(loads(read_bytes(others.file())));
}

// Ids of a forged file, whose checksums are right, must not lead outside of the arrays.
TEST_F(DamagedRows, ForgedNumbersAreRefusedOrHarmless) {
  const Container container(std::as_bytes(std::span(whole_)), "");
  for (const auto& entry : container.entries()) {
    if (entry.type != SectionType::u32 && entry.type != SectionType::u64) continue;
    const std::size_t width = element_size(entry.type);
    const std::size_t step = entry.name.ends_with("/slots") ? 61 : 1;
    for (std::size_t i = 0; i < entry.bytes.size() / width; i += step) {
      SectionWriter forged;
      for (const auto& one : container.entries()) {
        std::vector<std::byte> bytes(one.bytes.begin(), one.bytes.end());
        if (one.name == entry.name) bytes[i * width + 2] ^= std::byte{0xff};
        forged.add(one.name, one.type, one.columns, std::move(bytes));
      }
      std::string file;
      write_container(forged, [&](std::span<const std::byte> bytes) {
        file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      });
      const bool harmless = entry.name.ends_with("/slots") || entry.name == "origin/number";
      const bool used = loads(file);
      EXPECT_TRUE(!used || harmless) << entry.name << " " << i;
    }
  }
}

TEST_F(DamagedRows, AMissingSectionIsNoticed) {
  const Container container(std::as_bytes(std::span(whole_)), "");
  const std::vector<std::string> optional{"soft/row", "text/ends", "origin/number",
                                          "unlabelled/begin"};
  for (const auto& left_out : container.entries()) {
    if (std::ranges::find(optional, left_out.name) != optional.end()) continue;
    SectionWriter rest;
    for (const auto& one : container.entries()) {
      if (one.name == left_out.name) continue;
      rest.add(one.name, one.type, one.columns, {one.bytes.begin(), one.bytes.end()});
    }
    std::string file;
    write_container(rest, [&](std::span<const std::byte> bytes) {
      file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    EXPECT_FALSE(loads(file)) << left_out.name;
  }
}

}  // namespace
}  // namespace megadapt
