#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/models.hpp"

namespace megadapt {

/// What a user may want to know of how a model came to be.
struct ModelInfo {
  struct Domain {
    std::string name;
    std::uint64_t examples = 0;
    std::optional<double> general_share;  ///< pi, where the system has one
  };

  std::string system;  ///< "mix", "megam", ...
  std::string target;  ///< the domain that prediction serves
  std::vector<Domain> domains;
  std::vector<std::pair<std::string, std::string>> options;  ///< in the order of --help
  std::uint64_t seed = 0;
  std::vector<SourceFile> sources;
  std::string created_by;  ///< "megadapt 0.1.0"
};

/// A trained system with everything needed to use it on new rows. Movable, read-only.
struct Model {
  ModelInfo info;
  NameIndexView features;           ///< the bias has the empty name
  Binning binning;                  ///< how real values become features; may be empty
  std::vector<std::string> labels;  ///< in the order of probabilities
  std::unique_ptr<Predictor> predictor;
  TagScheme scheme = TagScheme::none;  ///< of taggers: which tag may follow which
  /// How the training data was read, and so how new input is.
  std::shared_ptr<const Recipe> recipe = std::make_shared<Recipe>();
  std::string evaluation;  ///< what `eval --store` left: a JSON object, or nothing
  std::shared_ptr<const void> storage;  ///< keeps what `features` and `predictor` look at

  std::uint32_t target() const;  ///< index of info.target in info.domains
  /// The domain's index; UsageError with a suggestion when the model does not know it.
  std::uint32_t domain(std::string_view name) const;
};

/// The parts of the model's predictor by name. They look at the model, which must outlive
/// them.
ModelPart parts_of(const Model& model);
/// The name of a feature of `part`, inside `model`: "(bias)" for the bias.
std::string feature_name(const Model& model, const ModelPart& part, std::uint32_t feature);

/// Writes the model to a temporary file beside `path`, flushes it to the disk and renames
/// it, so that `path` is either the old file or the whole new one. "-" is standard output.
/// Throws ResourceError when the disk is full, UsageError when the place cannot be written.
void save_model(const Model& model, const std::string& path);

/// Maps the file. `verify` compares every section with its CRC32C. Throws ModelFileError
/// for a damaged, truncated, foreign or newer file, InputError when it cannot be opened.
/// "-" reads standard input into memory.
Model load_model(const std::string& path, bool verify = true);

/// The same bytes in memory, and back. `name` stands for the file in messages.
std::vector<std::byte> model_bytes(const Model& model);
Model load_model(std::vector<std::byte> bytes, const std::string& name);

/// Text form of a model file and back, bit for bit and independent of the locale.
void export_model(const std::string& path, std::ostream& out);
void import_model(std::istream& in, const std::string& name, const std::string& path);

/// One line per section: name, type, elements, CRC32C, and whether it holds.
struct SectionCheck {
  std::string name;
  std::string type;
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
  bool intact = false;
};
std::vector<SectionCheck> check_sections(const std::string& path);

}  // namespace megadapt
