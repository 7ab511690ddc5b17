#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "cli/options/common_options.hpp"
#include "inference/stream.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::cli {

/// What commands that go through a file row by row are told about it.
struct RowOptions {
  std::string input = "-";
  std::string format;
  std::string output = "-";
  bool unlabelled = false;
};

/// The same where a model is used on the rows.
struct ModelRowOptions : RowOptions {
  std::string model;
  bool no_verify = false;
  std::string as_domain;
  bool digest = false;  // sha256() of the rows will be asked for
};

/// INPUT; `what` is read, in the help.
void add_input_argument(CLI::App& command, std::string& path, const std::string& what);
/// INPUT and --format.
void add_row_options(CLI::App& command, RowOptions& options, const std::string& what);
/// MODEL, INPUT, --format and --as-domain.
void add_model_row_options(CLI::App& command, ModelRowOptions& options,
                           const std::string& what);
void add_unlabelled_option(CLI::App& command, RowOptions& options);
/// --as-domain.
void add_as_domain_option(CLI::App& command, ModelRowOptions& options,
                          const std::string& help);

/// How the model opens the input; reading a pipe gives up when stop_flag() is set.
OpenOptions opening(const LoadedModel& model, const ModelRowOptions& options);
/// Runs `work`, which writes to `path` while it reads, and returns success. What comes
/// before bad input still reaches standard output.
int stream_to(const std::string& path, const CommonOptions& common,
              const std::function<void(AtomicFile& out, const Execution& exec)>& work);
/// Writes what `append(item, worker, text)` makes of each item of a stream, in their order.
template <class Stream, class Append>
void write_each(Stream& stream, AtomicFile& out, Append append) {
  std::vector<std::string> text(stream.slots());
  stream.run(
      [&](auto items, std::size_t slot) {
        text[slot].clear();
        for (const auto& item : items) append(item, stream.worker(slot), text[slot]);
      },
      [&](auto, std::size_t slot) { out.write(text[slot]); }, [&] { out.flush(); });
}
/// Tells with --verbose how many features the model did not know.
void tell_unseen(std::size_t unseen, const CommonOptions& common);

/// --skip-bad-lines.
void add_skip_bad_option(CLI::App& command, bool& skip_bad);

/// The model for `command`, which must be one of a task.
Tagger tagger_for(const std::string& command, const std::string& path, bool verify);

}  // namespace megadapt::cli
