// megadapt model info|verify|export|import: works on the model file itself.

#include "megadapt/model.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/text/reports.hpp"

namespace megadapt::cli {
namespace {

struct ModelOptions {
  std::string model;
  std::string output = "-";
  bool no_verify = false;
};

int info(const ModelOptions& options, const CommonOptions& common) {
  const Model model = load_model(options.model, !options.no_verify);
  return print(common.json ? json_text(model_info_json(model), 2) + "\n"
                           : printable(model_info_text(model)));
}

int verify(const ModelOptions& options, const CommonOptions& common) {
  const std::vector<SectionCheck> sections = check_sections(options.model);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string text;
  std::string damaged;
  for (const SectionCheck& section : sections) {
    const char* state = section.intact ? "intact" : "damaged";
    if (!section.intact) damaged += " " + section.name;
    list.push_back({{"name", section.name},
                    {"type", section.type},
                    {"bytes", section.bytes},
                    {"crc32c", fmt::format("{:08x}", section.crc)},
                    {"intact", section.intact}});
    text += fmt::format("{:<8} {:<6} {:>12}  {:08x}  {}\n", state, section.type,
                        section.bytes, section.crc, section.name);
  }
  print(common.json ? json_text(list, 2) + "\n" : text);
  if (!damaged.empty()) {
    throw ModelFileError(fmt::format("{}: damaged sections:{}", options.model, damaged),
                         "copy the file again from its source, or train again");
  }
  // Sections may be intact but inconsistent with each other.
  load_model(options.model, false);
  return kSuccess;
}

int export_text(const ModelOptions& options, const CommonOptions&) {
  GracefulStop graceful;
  AtomicFile out(options.output);
  export_model(options.model, out.stream());
  out.commit();
  return kSuccess;
}

int import_text(const ModelOptions& options, const CommonOptions&) {
  if (options.model == "-") {
    import_model(std::cin, "standard input", options.output);
    return kSuccess;
  }
  std::ifstream in(options.model, std::ios::binary);
  if (!in) {
    throw InputError({options.model}, "cannot be opened",
                     "give a file that 'megadapt model export' wrote");
  }
  import_model(in, options.model, options.output);
  return kSuccess;
}

void add_file_argument(CLI::App& command, ModelOptions& options, const std::string& what) {
  Section(command, "Model").value("MODEL", options.model, what, "FILE")->required();
}

}  // namespace

void add_model(CLI::App& app, Context& context) {
  CommonOptions& common = context.common;
  CLI::App* model =
      new_command(app, "model", "Examine, check, export and import model files",
                  "megadapt model info m.mega --json", common);
  model->require_subcommand(1);

  auto options = std::make_shared<ModelOptions>();
  CLI::App* command = new_command(*model, "info", "Show how a model was trained",
                                  "megadapt model info m.mega --json", common);
  add_model_argument(*command, options->model, options->no_verify);
  set_action(*command, context, options, info);

  command = new_command(*model, "verify", "Check every section of a model file",
                        "megadapt model verify m.mega", common);
  add_file_argument(*command, *options, "The model file, - for standard input");
  set_action(*command, context, options, verify);

  command = new_command(*model, "export", "Write a model file as text",
                        "megadapt model export m.mega -o m.txt", common);
  add_file_argument(*command, *options, "The model file, - for standard input");
  add_output_option(*command, options->output);
  set_action(*command, context, options, export_text);

  command = new_command(*model, "import", "Make a model file from exported text",
                        "megadapt model import m.txt -o m.mega", common);
  add_file_argument(*command, *options, "The exported text, - for standard input");
  add_output_option(*command, options->output);
  command->get_option("--output")->required()->default_str("");
  set_action(*command, context, options, import_text);
}

}  // namespace megadapt::cli
