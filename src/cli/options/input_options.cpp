#include "cli/options/input_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>

#include <filesystem>

#include "base/messages.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/section.hpp"
#include "dataset/row_checks.hpp"
#include "row_cache/row_cache.hpp"

namespace megadapt::cli {
namespace {

const std::string kInput = "Input";

void tell_dropped(std::size_t rows, const CommonOptions& common) {
  common.detail("the label map dropped {}", counted(rows, "row"));
}

void tell_notes(const ReadNotes& notes, const std::string& map_labels, bool all_rows,
                const CommonOptions& common) {
  if (notes.skipped > 0) {
    common.note("{} left out", counted(notes.skipped, "bad sentence"));
  }
  ReadNotes known = notes;
  // A rank sees only a part of the rows, so it cannot tell which rules are unused.
  if (!all_rows) known.unused_rules.clear();
  common.warn(reading_warnings(known, map_labels));
  if (!map_labels.empty() && all_rows) tell_dropped(notes.dropped_rows, common);
}

void read_unlabelled_input(const RowInput& input, Communicator& ranks,
                           const InputOptions& options, InputRows& rows) {
  std::vector<DomainFile> files;
  for (const std::string& path : input.unlabelled) files.push_back({"", path});
  refuse_repeated_files(files);
  Dataset& data = rows.data;
  data.unlabelled = std::make_shared<Dataset>(read_unlabelled(
      input.unlabelled, data, data.domains().find(chosen_target(options, data)),
      {.skip_bad = input.skip_bad, .stop = stop_flag()}, &rows.unlabelled, ranks));
}

void tell_ignored_labels(const InputRows& rows, const RowInput& input,
                         const CommonOptions& common) {
  const std::size_t labelled = rows.unlabelled.labelled;
  if (labelled == 0 || !common.speaks()) return;
  common.note("note: the labels of {} in {} are ignored",
              counted(labelled, rows.data.is_sequences() ? "sentence" : "row"),
              fmt::join(input.unlabelled, ", "));
}

std::optional<RowCache> open_cache(const std::string& folder, const RowInput& input,
                                   const CommonOptions& common) {
  if (folder.empty()) return std::nullopt;
  if (common.ranks->size() > 1) {
    throw UsageError("--row-cache does not work with the ranks of an MPI job",
                     "leave it out, or run the program without mpirun");
  }
  return RowCache(folder, input);
}

// A file that cannot be used only costs time, so it is no error.
std::optional<InputRows> cached_rows(const RowCache& cache, const CommonOptions& common) {
  try {
    std::optional<InputRows> rows = cache.load();
    if (rows) common.detail("the rows come from {}", cache.file());
    return rows;
  } catch (const ModelFileError&) {
    common.note("note: {} is damaged, so the input is read again", cache.file());
  } catch (const InputError& error) {
    common.note("note: {}, so the input is read again", error.headline());
  }
  return std::nullopt;
}

void keep_rows(const RowCache& cache, const InputRows& rows, const CommonOptions& common) {
  try {
    cache.store(rows);
    common.detail("the rows are kept in {}", cache.file());
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    common.note("note: the rows are not kept for --row-cache: {}", error.headline());
  }
}

}  // namespace

void add_domain_option(CLI::App& command, std::vector<std::string>& domains,
                       const std::string& help) {
  Section(command, kInput).value("-d,--domain", domains, help, "NAME=FILE")->required();
}

void add_input_options(CLI::App& command, InputOptions& options, bool with_target) {
  add_domain_option(
      command, options.domains,
      "Rows of the domain NAME; repeatable. FILE may be a pattern such as 'news/*.gz', or "
      "- for standard input");
  if (with_target) {
    Section(command, kInput)
        .value("-t,--target", options.target,
               "Domain to predict; not needed if there is only one domain", "NAME");
  }
  for (const auto& option : recipe_table()) {
    add_table_option(command, option, options.reading);
  }
  rare(Section(command, kInput)
           .value("--row-cache", options.row_cache,
                  "Keep the rows in this folder, so that the next run with the same files "
                  "and options need not read them again",
                  "DIR"));
}

CLI::Option* add_unlabelled_files_option(CLI::App& command, InputOptions& options) {
  return Section(command, kInput)
      .value("--unlabelled", options.unlabelled,
             "Rows of the target without labels, to learn from by self-training; "
             "repeatable. Labels in the file are ignored",
             "FILE");
}

void add_recipe_options(CLI::App& command, const std::vector<std::string>& names,
                        RecipeOptions& reading) {
  for (const std::string& name : names) {
    add_table_option(command, recipe_table().find(name), reading);
  }
}

void add_format_option(CLI::App& command, std::string& format) {
  const auto& known = recipe_table().find("format");
  Section(command, kInput).choice("--format", format, known.help, known.field.choices);
}

void add_model_argument(CLI::App& command, std::string& path, bool& no_verify) {
  Section model(command, "Model");
  model.value("MODEL", path, "The model file, - for standard input", "FILE")->required();
  model.flag("--no-verify", no_verify,
             "Do not check the model file's checksums, which detect damage");
}

Format chosen_format(const std::string& name) {
  return name.empty() ? Format::guess : row_format(name);
}

DomainFile parse_domain(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(fmt::format("--domain {}: this is not NAME=FILE", text),
                     "write --domain news=news.txt");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<DomainFile> domain_files(const std::vector<std::string>& texts) {
  std::vector<DomainFile> files;
  for (const std::string& text : texts) {
    const DomainFile one = parse_domain(text);
    glob_t found{};
    const bool matches = one.file != "-" && !std::filesystem::exists(one.file) &&
                         glob(one.file.c_str(), 0, nullptr, &found) == 0;
    for (std::size_t i = 0; matches && i < found.gl_pathc; ++i) {
      files.push_back({one.domain, found.gl_pathv[i]});
    }
    if (!matches) files.push_back(one);  // opening it will report the error
    globfree(&found);
  }
  return files;
}

void refuse_shared_input(const std::string& path, const CommonOptions& common) {
  if (path == "-" && common.ranks->size() > 1) {
    throw UsageError("standard input cannot be shared among ranks", "give a file");
  }
}

Dataset read_input(const InputOptions& options, const CommonOptions& common,
                   Communicator& ranks, bool with_texts) {
  const RowInput input{
      .files = domain_files(options.domains),
      .recipe = make_recipe(options.reading, common.threads),
      .skip_bad = options.reading.skip_bad,
      .texts_of = with_texts ? std::optional(options.target) : std::nullopt,
      .unlabelled = options.unlabelled,
      .target = options.target};
  for (const DomainFile& file : input.files) refuse_shared_input(file.file, common);
  for (const std::string& file : input.unlabelled) refuse_shared_input(file, common);
  const std::optional<RowCache> cache = open_cache(options.row_cache, input, common);
  std::optional<InputRows> known;
  if (cache) known = cached_rows(*cache, common);
  InputRows rows = known ? std::move(*known) : InputRows();
  if (!known) {
    rows.data = read_dataset(input.files, input.recipe,
                             {.skip_bad = input.skip_bad,
                              .stop = stop_flag(),
                              .texts_of = input.texts_of,
                              .notes = &rows.notes},
                             ranks);
  }
  tell_notes(rows.notes, options.reading.map_labels.value_or(""), ranks.size() == 1,
             common);
  if (!input.unlabelled.empty()) {
    if (!known) read_unlabelled_input(input, ranks, options, rows);
    tell_ignored_labels(rows, input, common);
  }
  if (cache && !known) keep_rows(*cache, rows, common);
  return std::move(rows.data);
}

Dataset read_test_input(const InputOptions& options, const std::string& path,
                        const Dataset& train, std::uint32_t target, bool with_texts) {
  return read_test_rows(
      path, train, target,
      {.skip_bad = options.reading.skip_bad,
       .texts_of = with_texts ? std::optional(std::string()) : std::nullopt});
}

std::string chosen_target(const InputOptions& options, const Dataset& data) {
  const std::vector<std::string> names = data.domains().names();
  if (options.target.empty()) {
    if (names.size() == 1) return names[0];
    throw UsageError(
        fmt::format("there are {} domains and no --target", names.size()),
        fmt::format("say which one to predict: --target {}", fmt::join(names, " or ")));
  }
  if (data.domains().find(options.target) == kNone) {
    const std::string near = closest(options.target, names);
    throw UsageError(
        fmt::format("--target {}: no row is of this domain", options.target),
        fmt::format("{}the domains are {}",
                    near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
                    fmt::join(names, ", ")));
  }
  return options.target;
}

void add_map_labels_option(CLI::App& command, std::string& path) {
  Section(command, "Input")
      .value("--map-labels", path, recipe_table().find("map-labels").help, "FILE");
}

std::optional<LabelMap> read_label_map(const std::string& path) {
  if (path.empty()) return std::nullopt;
  return LabelMap::read(path);
}

void refuse_label_map(const std::string& path) {
  if (path.empty()) return;
  throw UsageError("--map-labels renames labels of rows, not tags of a task",
                   "rename the tags in the file, or leave out --map-labels");
}

void warn_of_unused(const std::vector<LabelMap::Rule>& unused, std::size_t dropped_rows,
                    const std::string& path, const CommonOptions& common) {
  ReadNotes notes;
  notes.unused_rules = unused;
  common.warn(reading_warnings(notes, path));
  tell_dropped(dropped_rows, common);
}

}  // namespace megadapt::cli
