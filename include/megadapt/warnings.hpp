#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/classifier.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/evaluation.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// A likely mistake that does not stop the work. The command line prints it, lists it in
/// JSON, and makes it an error with --strict; Python makes it a UserWarning.
struct Warning {
  std::string kind;     ///< a short name for programs: "one-group"
  std::string problem;  ///< one line
  std::string remedy;   ///< names options as `--name`
};

/// What is suspicious about rows to train on: a target of one label, domains without a
/// common label or feature, labels of one domain only, and labels that look like the first
/// words of texts. With several ranks, every rank returns the same.
std::vector<Warning> data_warnings(const Dataset& data, std::uint32_t target,
                                   Communicator& ranks = serial_communicator());

/// Set if most rows have a label that no other row has. Throws UsageError if the format of
/// the files was guessed: these are hardly labels, but the first words of texts.
std::optional<Warning> label_warning(const Dataset& data,
                                     Communicator& ranks = serial_communicator());

/// What reading found: unused rules of the label map in `map_file`, and columns of
/// sentences that some domains leave empty.
std::vector<Warning> reading_warnings(const ReadNotes& notes, const std::string& map_file);

/// Set if no row of the target can be held out, so that nothing is tuned.
std::optional<Warning> tuning_warning(const Dataset& data, std::uint32_t target);

/// Set if there are `duplicates` among the test rows: rows that training contains too.
/// `what` is "test row" or "held-out row".
std::optional<Warning> duplicate_warning(std::size_t duplicates, const std::string& what);

/// Set if a file with this digest was used to train the model. `use` says what the rows are
/// for: "test" or "adapt".
std::optional<Warning> training_file_warning(const ModelInfo& info, const std::string& file,
                                             std::string_view sha256, std::string_view use);

/// Set if most of the labels are unknown to the model. Throws InputError if all of them
/// are: these are hardly labels.
std::optional<Warning> unknown_labels_warning(const Evaluation& evaluation,
                                              const std::string& file);

/// Set if rows name a domain that the model does not know. They are predicted as rows of
/// `as_domain`, or of the target if it is empty.
std::optional<Warning> unknown_domains_warning(const UnknownDomains& unknown,
                                               const LoadedModel& model,
                                               const std::string& as_domain = {});

/// Counts rows whose label a model does not know. If these are most rows, the user has
/// probably forgotten -u (--no-labels).
class UnknownLabels {
 public:
  explicit UnknownLabels(const std::vector<std::string>& known);
  void add(std::string_view label);
  /// Set if most rows have an unknown label.
  std::optional<Warning> warning(const std::string& file) const;

 private:
  NameIndex known_;
  std::size_t rows_ = 0;
  std::size_t unknown_ = 0;
  std::string example_;
};

}  // namespace megadapt
