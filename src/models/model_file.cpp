#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/atomic_file.hpp"
#include "base/mapped_file.hpp"
#include "base/messages.hpp"
#include "container/container.hpp"
#include "container/sections.hpp"
#include "dataset/recipe_text.hpp"
#include "megadapt/model.hpp"
#include "models/load_predictor.hpp"
#include "models/model_over.hpp"
#include "models/model_sections.hpp"
#include "models/needs.hpp"

namespace megadapt {
namespace {

constexpr const char* kPredictorPrefix = "predictor/";
constexpr const char* kRecipe = "recipe";
constexpr const char* kTask = "task";
constexpr const char* kForms = "mixed_forms";
constexpr const char* kEvaluation = "evaluation";

std::string shown(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string forms_text(const MixedForms& forms) {
  std::string text;
  for (const auto& [lower, form] : forms) text += fmt::format("{}\t{}\n", lower, form);
  return text;
}

MixedForms read_forms(const SectionReader& in) {
  MixedForms forms;
  const std::string text = in.text(kForms);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t tab = text.find('\t', begin);
    const std::size_t end = text.find('\n', begin);
    if (end == text.npos || tab >= end) {
      in.damaged(fmt::format("section '{}' has a line without two words", kForms));
    }
    forms[text.substr(begin, tab - begin)] = text.substr(tab + 1, end - tab - 1);
    begin = end + 1;
  }
  return forms;
}

// Files of version 0.1 have no recipe section; its parts are in other sections.
Recipe read_recipe(const SectionReader& in, const StoredInfo& stored, bool bias) try {
  if (in.has(kRecipe)) return recipe_from_text(in.text(kRecipe));
  Recipe recipe{.text = stored.text, .bias = bias};
  if (in.has(kTask)) recipe.task = task_from_text(in.text(kTask));
  if (in.has(kForms)) recipe.mixed_forms = read_forms(in);
  return recipe;
} catch (const ModelFileError& error) {
  in.damaged(error.what());
}

TagScheme scheme_of(const Model& model, const StoredInfo& stored) {
  if (stored.scheme) return *stored.scheme;
  if (!model.recipe->task) return guess_scheme(model.labels);
  const std::string& name = model.recipe->task->scheme;
  return name.empty() ? TagScheme::none : parse_scheme(name);
}

// Returns how the parts of a model contradict each other, or "" if they do not.
std::string mismatch(const Model& model) {
  const auto& domains = model.info.domains;
  const bool knows_target =
      std::any_of(domains.begin(), domains.end(),
                  [&](const auto& domain) { return domain.name == model.info.target; });
  if (!knows_target && !(domains.empty() && model.info.target.empty())) {
    return fmt::format("its target '{}' is none of its domains", model.info.target);
  }
  std::vector<std::string> labels = model.labels;
  std::sort(labels.begin(), labels.end());
  if (std::adjacent_find(labels.begin(), labels.end()) != labels.end()) {
    return "a label occurs twice";
  }
  if (model.labels.size() != model.predictor->num_labels()) {
    return fmt::format("it has {} labels but weights for {}", model.labels.size(),
                       model.predictor->num_labels());
  }
  if (model.predictor->num_features() != model.features.size()) {
    return fmt::format("it has {} features but weights for {}", model.features.size(),
                       model.predictor->num_features());
  }
  const std::uint32_t experts = model.predictor->num_domains();
  if (experts != 0 && experts != domains.size()) {
    return fmt::format("it has {} domains but experts for {}", domains.size(), experts);
  }
  return {};
}

}  // namespace

std::uint32_t Model::target() const { return domain(info.target); }

std::uint32_t Model::domain(std::string_view name) const {
  const auto found = std::ranges::find(info.domains, name, &ModelInfo::Domain::name);
  if (found != info.domains.end()) {
    return static_cast<std::uint32_t>(found - info.domains.begin());
  }
  std::vector<std::string> names;
  for (const auto& known : info.domains) names.push_back(known.name);
  throw UsageError(
      fmt::format("the model knows no domain '{}'", name),
      suggest(name, names, fmt::format("use one of: {}", fmt::join(names, ", "))));
}

Model model_over(std::span<const std::byte> bytes, const std::string& file, bool verify) {
  const Container in(bytes, file);
  if (verify) in.verify_checksums();
  in.refuse_out_of_range();
  Model model;
  StoredInfo stored = read_info(in);
  model.info = std::move(stored.info);
  refuse_unknown_needs(in, model.info.created_by);
  const NameIndexView labels = read_names(in, "labels");
  for (std::uint32_t i = 0; i < labels.size(); ++i)
    model.labels.emplace_back(labels.name(i));
  model.features = read_index(in, "features");
  model.binning = read_binning(in);
  model.scaling = read_scaling(in, model.features.size());
  model.predictor = load_predictor(stored.predictor_kind, in, kPredictorPrefix);
  const auto own =
      std::make_shared<Recipe>(read_recipe(in, stored, model.features.find("") != kNone));
  if (const auto classes = read_classes(in); !classes.empty()) {
    own->set_classes(classes);
  }
  model.recipe = own;
  model.scheme = scheme_of(model, stored);
  if (in.has(kEvaluation)) model.evaluation = in.text(kEvaluation);
  if (const std::string problem = mismatch(model); !problem.empty()) in.damaged(problem);
  return model;
}

namespace {

void write_model(const Model& model, const ByteSink& sink) {
  if (const std::string problem = mismatch(model); !problem.empty()) {
    throw UsageError(fmt::format("the model cannot be saved: {}", problem));
  }
  SectionWriter out;
  add_info(out, model);
  add_needs(out, model);
  NameIndex labels;
  for (const std::string& label : model.labels) labels.add(label);
  add_names(out, "labels", labels.view());
  add_index(out, "features", model.features);
  add_binning(out, model.binning);
  add_scaling(out, model.scaling);
  const Recipe& recipe = *model.recipe;
  out.add(kRecipe, to_text(recipe));
  if (recipe.task) out.add(kTask, to_text(*recipe.task));
  add_classes(out, recipe.classes());
  if (!recipe.mixed_forms.empty()) out.add(kForms, forms_text(recipe.mixed_forms));
  if (!model.evaluation.empty()) out.add(kEvaluation, model.evaluation);
  model.predictor->save(out, kPredictorPrefix);
  write_container(out, sink);
}

}  // namespace

void save_model(const Model& model, const std::string& path) {
  AtomicFile file(path);
  write_model(model, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

void check_model_path(const std::string& path) {
  std::error_code none;
  const auto type = std::filesystem::status(path, none).type();
  const bool file = type == std::filesystem::file_type::regular ||
                    type == std::filesystem::file_type::not_found;
  if (type == std::filesystem::file_type::directory) {
    throw UsageError(fmt::format("{}: cannot write: it is a directory", path),
                     "give the name of a file");
  }
  if (path != "-" && file) AtomicFile probe(path);
}

std::vector<std::byte> model_bytes(const Model& model) {
  std::vector<std::byte> all;
  write_model(model, [&](std::span<const std::byte> bytes) {
    all.insert(all.end(), bytes.begin(), bytes.end());
  });
  return all;
}

Model load_model(const std::string& path, bool verify) {
  const auto file = std::make_shared<const MappedFile>(path);
  Model model = model_over(file->bytes(), shown(path), verify);
  model.storage = file;
  return model;
}

Model load_model(std::vector<std::byte> bytes, const std::string& name) {
  const auto storage = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  Model model = model_over(*storage, name, true);
  model.storage = storage;
  return model;
}

std::vector<SectionCheck> check_sections(const std::string& path) {
  const MappedFile file(path);
  const Container container(file.bytes(), shown(path));
  std::vector<SectionCheck> checks;
  for (const auto& entry : container.entries()) {
    checks.push_back({entry.name, std::string(type_name(entry.type)), entry.bytes.size(),
                      entry.crc, entry.intact()});
  }
  return checks;
}

}  // namespace megadapt
