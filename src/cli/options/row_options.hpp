#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "cli/options/common_options.hpp"
#include "dataset/recipe_options.hpp"
#include "inference/stream.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::cli {

/// Options of commands that process a file row by row.
struct RowOptions {
  std::string input = "-";
  std::string format;
  std::string output = "-";
  bool unlabelled = false;
  bool may_lack_labels = false;  // the command has --no-labels
};

/// Options of commands that apply a model to the rows.
struct ModelRowOptions : RowOptions {
  std::string model;
  bool no_verify = false;
  std::string as_domain;
  RecipeOptions reading;  // only its column_names
  bool digest = false;    // whether sha256() of the rows is needed
};

/// Adds INPUT; its help says that `what` is read.
void add_input_argument(CLI::App& command, std::string& path, const std::string& what);
/// Adds INPUT and --format.
void add_row_options(CLI::App& command, RowOptions& options, const std::string& what);
/// Adds MODEL, INPUT, --format, --as-domain and the names of columns.
void add_model_row_options(CLI::App& command, ModelRowOptions& options,
                           const std::string& what);
void add_unlabelled_option(CLI::App& command, RowOptions& options);
/// Adds the options that name the columns of this file: --text-column and so on.
void add_column_name_options(CLI::App& command, RecipeOptions& reading);
/// Adds --as-domain.
void add_as_domain_option(CLI::App& command, ModelRowOptions& options,
                          const std::string& help);

/// Whether the rows have no labels: by --no-labels, or because they are raw text.
bool reads_without_labels(const RowOptions& options);
/// Returns how to open the input for this model. Reading a pipe stops at stop_flag().
OpenOptions opening(const LoadedModel& model, const ModelRowOptions& options);
/// Runs `work`, which writes to `path` while it reads, and returns kSuccess. If the input
/// is bad, the output before the bad row still reaches standard output.
int stream_to(const std::string& path, const CommonOptions& common,
              const std::function<void(AtomicFile& out, const Execution& exec)>& work);
/// Calls `append(item, worker, text)` for each item and writes the texts in order. Calls
/// `written(item)` in order, from one thread at a time.
template <class Stream, class Append, class Written>
void write_each(Stream& stream, AtomicFile& out, Append append, Written written) {
  std::vector<std::string> text(stream.slots());
  stream.run(
      [&](auto items, std::size_t slot) {
        text[slot].clear();
        for (const auto& item : items) append(item, stream.worker(slot), text[slot]);
      },
      [&](auto items, std::size_t slot) {
        for (const auto& item : items) written(item);
        out.write(text[slot]);
      },
      [&] { out.flush(); });
}
template <class Stream, class Append>
void write_each(Stream& stream, AtomicFile& out, Append append) {
  write_each(stream, out, append, [](const auto&) {});
}
/// Warns of rows whose domain the model does not know.
template <class Stream>
void warn_of_unknown_domains(const Stream& stream, const LoadedModel& model,
                             const ModelRowOptions& options, const CommonOptions& common) {
  common.warn(unknown_domains_warning(stream.unknown_domains(), model, options.as_domain));
}
/// Reports with --verbose how many features the model did not know.
void tell_unseen(std::size_t unseen, const CommonOptions& common);

/// Adds --skip-bad-lines.
void add_skip_bad_option(CLI::App& command, bool& skip_bad);

/// Loads the model for `command`; throws if it is not a task model.
Tagger tagger_for(const std::string& command, const std::string& path, bool verify);

}  // namespace megadapt::cli
