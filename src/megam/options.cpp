#include "megam/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>

#include "base/messages.hpp"
#include "cli/text/mdoc.hpp"
#include "megadapt/error.hpp"

namespace megadapt::megam {
namespace {

constexpr const char* kSeeHelp = "see 'megam-megadapt -help'";
constexpr const char* kUsage = "megam-megadapt [OPTIONS] binary|multiclass FILE";
constexpr const char* kDescription =
    "Fits a maximum entropy model with the command line and files of MEGAM, and\n"
    "prints its weights.";
constexpr const char* kExample =
    "  megam-megadapt -nc -lambda 0.5 multiclass rows.txt > weights";

// One option: parsing and help both come from this table.
struct Option {
  std::string name;
  std::string value;  // "" for a flag
  std::string help;   // "" for an option that users do not see
  std::function<void(Options&, const std::string&)> set;
};

std::optional<double> finite(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return {};
  return value;
}

double number(const std::string& name, const std::string& text, double least) {
  const std::optional<double> value = finite(text);
  if (!value || *value < least) {
    throw UsageError(
        fmt::format("{}: '{}' is not a number from {}", name, excerpt(text), least),
        kSeeHelp);
  }
  return *value;
}

// MEGAM's own default is far below 0, and stops nothing.
double least_change(const std::string& text) {
  const std::optional<double> value = finite(text);
  if (!value) {
    throw UsageError(fmt::format("-dpp: '{}' is not a number", excerpt(text)), kSeeHelp);
  }
  return std::max(*value, 0.0);
}

int count(const std::string& name, const std::string& text) {
  const double value = number(name, text, 1);
  if (value != std::floor(value) || value > 1e6) {
    throw UsageError(
        fmt::format("{}: '{}' is not a whole number up to 1000000", name, excerpt(text)),
        kSeeHelp);
  }
  return static_cast<int>(value);
}

Option flag(const std::string& name, bool Options::*field, bool value,
            const std::string& help) {
  return {name, "", help,
          [=](Options& options, const std::string&) { options.*field = value; }};
}

Option file(const std::string& name, std::string Options::*field, const std::string& help) {
  return {name, "FILE", help,
          [=](Options& options, const std::string& text) { options.*field = text; }};
}

const std::vector<Option>& table() {
  static const std::vector<Option> options{
      flag("-fvals", &Options::values, true, "Each feature is followed by its value"),
      flag("-explicit", &Options::explicit_features, true,
           "Each class has its own features: LABEL # FEATURES # FEATURES ..."),
      flag("-nobias", &Options::bias, false, "Leave out the bias **BIAS**"),
      flag("-nc", &Options::named_classes, true, "Classes are names, not numbers from 0"),
      {"-lambda", "F", "Precision of the Gaussian prior; 0 for no prior (default: 1)",
       [](Options& o, const std::string& text) { o.lambda = number("-lambda", text, 0); }},
      flag("-tune", &Options::tune, true,
           "Halve lambda while the rows after DEV are predicted better"),
      {"-maxi", "N", "Iterations at most (default: 100)",
       [](Options& o, const std::string& text) { o.iterations = count("-maxi", text); }},
      {"-dpp", "F", "Stop when an iteration lowers the mean loss by less than F",
       [](Options& o, const std::string& text) { o.min_change = least_change(text); }},
      {"-repeat", "N", "Allow N times as many iterations (default: 1)",
       [](Options& o, const std::string& text) { o.repeats = count("-repeat", text); }},
      file("-init", &Options::start, "Weights to start from"),
      file("-mean", &Options::mean, "Weights that are the mean of the prior"),
      file("-predict", &Options::weights, "Predict with these weights; train nothing"),
      flag("-quiet", &Options::quiet, true, "Print no progress"),
      flag("-help", &Options::help, true, "Show this help and exit"),
      flag("-version", &Options::version, true, "Show the version and exit"),
      // The build uses this option to write the manual page.
      flag("-generate-man", &Options::man_page, true, "")};
  return options;
}

// An option of MEGAM 0.92 that this program does not have.
struct Refused {
  const char* name;
  const char* remedy;
};
constexpr const char* kNoDensity =
    "density estimation is not done; use binary or multiclass";
constexpr Refused kRefusedOptions[] = {
    {"-multilabel", "give every row one class"},
    {"-bitvec", "give every row one class"},
    {"-filespec", "name the file of rows itself"},
    {"-sprog", kNoDensity},
    {"-sfile", kNoDensity},
    {"-sargs", kNoDensity},
    {"-sspec", kNoDensity},
    {"-sforcef", kNoDensity},
    {"-pa", "passive-aggressive updates are not done; use binary or multiclass"},
    {"-norm1", "normalise the values in the file, and use -fvals"},
    {"-norm2", "normalise the values in the file, and use -fvals"},
    {"-minfc", "leave rare features out of the file"},
    {"-abffs", "leave features out of the file"},
    {"-bnsfs", "leave features out of the file"},
    {"-curve", "use 'megadapt curve'"},
    {"-kernel", "features are used as they are"},
    {"-memory", "leave it out"},
    {"-lastweight", "leave it out: the weights are always the optimum"}};
constexpr Refused kRefusedTypes[] = {{"density", "use binary or multiclass"},
                                     {"binomial", "use binary or multiclass"},
                                     {"perceptron", "use binary"},
                                     {"multitron", "use multiclass"}};

void set_type(const std::string& word, Options& options) {
  for (const auto& [name, remedy] : kRefusedTypes) {
    if (word == name) {
      throw UsageError(fmt::format("models of the type '{}' are not supported", word),
                       remedy);
    }
  }
  if (word != "binary" && word != "multiclass") {
    throw UsageError(fmt::format("'{}' is not binary or multiclass", excerpt(word)),
                     kSeeHelp);
  }
  options.binary = word == "binary";
}

const Option& find_option(const std::string& word) {
  // Accept --help for -help, and so on, as people expect nowadays.
  const std::string name = word == "-h"             ? "-help"
                           : word.starts_with("--") ? word.substr(1)
                                                    : word;
  std::vector<std::string> names;
  for (const Option& option : table()) {
    if (option.name == name) return option;
    if (!option.help.empty()) names.push_back(option.name);
  }
  for (const auto& [refused, remedy] : kRefusedOptions) {
    if (name == refused) {
      throw UsageError(fmt::format("MEGAM's option {} is not supported", name), remedy);
    }
  }
  throw UsageError(fmt::format("unknown option '{}'", excerpt(word)),
                   suggest(name, names, kSeeHelp));
}

void check(const Options& options) {
  if (options.binary && options.explicit_features) {
    throw UsageError("-explicit is for multiclass", "leave it out");
  }
  if (options.binary && options.named_classes) {
    throw UsageError("-nc is for multiclass", "write 0 and 1, or use multiclass");
  }
  if (options.named_classes && options.explicit_features) {
    throw UsageError("-nc and -explicit exclude each other",
                     "number the lists of features of a row from 0");
  }
}

}  // namespace

Options parse_options(const std::vector<std::string>& words) {
  Options options;
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with('-') || words[i] == "-") {
      arguments.push_back(words[i]);
      continue;
    }
    const Option& option = find_option(words[i]);
    const bool takes_value = !option.value.empty();
    if (takes_value && i + 1 == words.size()) {
      throw UsageError(fmt::format("{} needs a value: {}", option.name, option.value),
                       kSeeHelp);
    }
    option.set(options, takes_value ? words[++i] : "");
  }
  if (options.help || options.version || options.man_page) return options;
  if (arguments.empty())
    throw UsageError("a type is needed: binary or multiclass", kSeeHelp);
  set_type(arguments[0], options);
  if (arguments.size() != 2) {
    throw UsageError(arguments.size() == 1
                         ? "a file is needed"
                         : fmt::format("unexpected argument '{}'", excerpt(arguments[2])),
                     kSeeHelp);
  }
  options.file = arguments[1];
  check(options);
  return options;
}

std::string help_text() {
  std::string text = fmt::format("Usage: {}\n\n{}\n\nOptions:\n", kUsage, kDescription);
  for (const Option& option : table()) {
    if (option.help.empty()) continue;
    text += fmt::format("  {:<16}{}\n", option.name + " " + option.value, option.help);
  }
  return text + fmt::format("\nExample:\n{}\n", kExample);
}

std::string man_page() {
  namespace mdoc = cli::mdoc;
  std::string items;
  for (const Option& option : table()) {
    if (!option.help.empty()) items += mdoc::item(option.name, option.value, option.help);
  }
  return mdoc::heading("megam-megadapt", "Fit maximum entropy models as MEGAM does") +
         ".Sh SYNOPSIS\n.Nm " + mdoc::escaped(kUsage) + "\n.Sh DESCRIPTION\n" +
         mdoc::escaped(kDescription) + "\n.Sh OPTIONS\n" + mdoc::list(items) +
         ".Sh EXAMPLES\n" + mdoc::literal(kExample) + mdoc::exit_status({0, 1, 2, 5}) +
         ".Sh SEE ALSO\n.Xr megadapt 1\n";
}

}  // namespace megadapt::megam
