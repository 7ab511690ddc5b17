#include "row_cache/row_cache.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/json.hpp"
#include "base/mapped_file.hpp"
#include "base/sha256.hpp"
#include "container/container.hpp"
#include "dataset/recipe_text.hpp"
#include "megadapt/error.hpp"
#include "row_cache/dataset_sections.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace megadapt {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LabelMap::Rule, domain, label, name, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReadNotes, skipped, left_out_columns, uneven_columns,
                                   unused_rules, dropped_rows)

namespace {

using nlohmann::json;

constexpr int kLayout = 1;  // of the sections; grows when they change
constexpr const char* kUnlabelled = "unlabelled/";

// XXH3 is faster than SHA-256. When the rows come from the cache, the input is read only for
// this digest.
std::string content_digest(const std::string& path) {
  const MappedFile file(path);
  const XXH128_hash_t hash = XXH3_128bits(file.bytes().data(), file.bytes().size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// Another build of the same version may read files in another way.
const std::string& program() {
  static const std::string name = [] {
    const char* self = "/proc/self/exe";
    const bool readable = std::ifstream(self).is_open();
    return fmt::format("{} {}", version(), readable ? content_digest(self) : "");
  }();
  return name;
}

std::string digest_of_file(const std::string& path) {
  std::error_code none;
  if (path == "-" || std::filesystem::is_other(path, none)) {
    throw UsageError(fmt::format("--row-cache: {} can be read only once",
                                 path == "-" ? std::string("standard input") : path),
                     "give a file, or leave out --row-cache");
  }
  return content_digest(path);
}

// Everything that the rows depend on, as text. Paths are part of a model's history.
std::string key_of(const RowInput& input) {
  json files = json::array();
  for (const auto& [domain, file] : input.files) {
    files.push_back({domain, file, digest_of_file(file)});
  }
  json unlabelled = json::array();
  for (const std::string& file : input.unlabelled) {
    unlabelled.push_back({file, digest_of_file(file)});
  }
  return json_text(json{{"layout", kLayout},
                        {"program", program()},
                        {"files", files},
                        {"recipe", to_text(input.recipe)},
                        {"skip_bad", input.skip_bad},
                        {"texts_of", input.texts_of ? json(*input.texts_of) : json()},
                        {"unlabelled", unlabelled},
                        {"target", unlabelled.empty() ? "" : input.target}});
}

std::string file_name(const std::string& key) {
  corpus::Sha256 sha;
  sha.add(key.data(), key.size());
  return sha.finish().substr(0, 32) + ".rows";
}

// The classes of words are those of the given recipe, so they are not stored.
std::shared_ptr<const Recipe> stored_recipe(const std::string& text, const Recipe& given) {
  auto recipe = std::make_shared<Recipe>(recipe_from_text(text));
  recipe->set_classes(given.classes());
  return recipe;
}

std::string notes_text(const InputRows& rows) {
  return json{{"reading", rows.notes}, {"labelled", rows.unlabelled.labelled}}.dump();
}

void read_notes(const std::string& text, InputRows& rows) {
  const json notes = parse_json(text);
  notes.at("reading").get_to(rows.notes);
  rows.unlabelled.labelled = notes.at("labelled");
}

InputRows rows_in(const Container& in, const Recipe& given) {
  InputRows rows;
  const auto schema = read_schema(in);
  const auto recipe = stored_recipe(in.text("recipe"), given);
  rows.data = read_rows(in, "", schema);
  rows.data.recipe = recipe;
  read_notes(in.text("notes"), rows);
  if (!in.has(std::string(kUnlabelled) + "begin")) return rows;
  auto unlabelled = std::make_shared<Dataset>(read_rows(in, kUnlabelled, schema));
  unlabelled->recipe = recipe;
  rows.data.unlabelled = unlabelled;
  return rows;
}

void write_rows(const InputRows& rows, const std::string& key, AtomicFile& file) {
  SectionWriter out;
  out.add("key", key);
  out.add("recipe", to_text(*rows.data.recipe));
  out.add("notes", notes_text(rows));
  add_rows(out, "", rows.data);
  if (rows.data.unlabelled) add_rows(out, kUnlabelled, *rows.data.unlabelled);
  add_schema(out, *rows.data.schema);
  write_container(out, [&](std::span<const std::byte> bytes) { file.write(bytes); });
}

void make_folder(const std::string& folder) {
  std::error_code failed, none;
  std::filesystem::create_directories(folder, failed);
  if (std::filesystem::is_directory(folder, none)) return;
  throw UsageError(fmt::format("{}: cannot keep rows there{}", folder,
                               failed ? ": " + failed.message() : ""),
                   "give --row-cache a folder that can be written");
}

}  // namespace

RowCache::RowCache(const std::string& folder, const RowInput& input)
    : input_(input), key_(key_of(input)), file_(folder + "/" + file_name(key_)) {
  make_folder(folder);
}

std::optional<InputRows> RowCache::load() const {
  std::error_code none;
  if (!std::filesystem::exists(file_, none)) return std::nullopt;
  const MappedFile mapped(file_);
  const Container in(mapped.bytes(), file_);
  in.verify_checksums();
  in.refuse_out_of_range();
  if (in.text("key") != key_) in.damaged("it has the rows of another input");
  try {
    return rows_in(in, input_.recipe);
  } catch (const json::exception& error) {
    in.damaged(error.what());
  } catch (const UsageError& error) {
    in.damaged(error.what());
  }
}

void RowCache::store(const InputRows& rows) const {
  if (key_of(input_) != key_) {
    throw UsageError("an input file changed while it was read");
  }
  const Recipe& recipe = *rows.data.recipe;
  if (*stored_recipe(to_text(recipe), input_.recipe) != recipe) {
    throw UsageError("the names of columns or labels are not UTF-8");
  }
  AtomicFile file(file_);
  try {
    write_rows(rows, key_, file);
  } catch (const json::exception&) {
    throw UsageError("the names of files, domains or columns are not UTF-8");
  }
  file.commit();
}

}  // namespace megadapt
