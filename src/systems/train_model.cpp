#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/messages.hpp"
#include "execution/collectives.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

std::uint32_t find_target(const Dataset& data, const std::string& target,
                          std::span<const double> rows) {
  const std::uint32_t id = data.domains().find(target);
  if (id == kNone) {
    throw UsageError(fmt::format("the target '{}' is not one of the domains", target),
                     suggest(target, data.domains().names(),
                             fmt::format("the rows are of {}; name one of them",
                                         fmt::join(data.domains().names(), ", "))));
  }
  if (rows[id] == 0) {
    throw UsageError(fmt::format("the target domain '{}' has no rows", target),
                     "check its file; a row's own \"domain\" field overrides the file's");
  }
  return id;
}

// Fills in the defaults of the options about unlabelled rows. Throws UsageError if the
// options ask for such rows and there are none.
Options with_unlabelled(Options options, const Dataset& data) {
  if (data.unlabelled) {
    if (!options.unlabelled_weight) options.unlabelled_weight = kUnlabelledWeight;
    if (!options.sharpen) options.sharpen = kSharpen;
  } else if (options.unlabelled_weight.value_or(0) > 0) {
    throw UsageError(fmt::format("--unlabelled-weight {}: there are no unlabelled rows",
                                 *options.unlabelled_weight),
                     "add --unlabelled FILE, or set --unlabelled-weight 0");
  }
  return options;
}

}  // namespace

void refuse_hopeless(const Dataset& data, Communicator& ranks) {
  if (data.num_labels() < 2) {
    throw UsageError(fmt::format("all rows have one label, '{}'",
                                 data.num_labels() == 1 ? data.labels().name(0) : ""),
                     "training needs rows of at least two labels");
  }
  double total = 0;
  for (const float weight : data.weight) total += static_cast<double>(weight);
  if (!(summed(ranks, total) > 0)) {
    throw UsageError("every row has weight 0", "give some rows a positive weight");
  }
}

std::vector<double> rows_per_domain(const Dataset& data, Communicator& ranks) {
  std::vector<double> rows(data.num_domains());
  for (const std::uint32_t d : data.domain) ++rows[d];
  ranks.sum(rows);
  return rows;
}

Model train_model(const Dataset& data, std::string_view system, const std::string& target,
                  const Options& options, Settings recorded, const FitContext& context) {
  const System& chosen = find_system(system);
  option_table().check(options);
  Communicator& ranks = context.exec.ranks();
  refuse_hopeless(data, ranks);
  const std::vector<double> rows = rows_per_domain(data, ranks);
  const std::uint32_t target_id = find_target(data, target, rows);

  Model model;
  Options used = with_unlabelled(options, data);
  FitContext fitting = context;
  fitting.on_members = [&](const std::vector<Member>& members) {
    used.members = members;
    if (context.on_members) context.on_members(members);
  };
  model.predictor = chosen.fit(data, target_id, options, fitting);
  model.labels = data.labels().names();
  model.scheme = data.schema->scheme;
  model.recipe = data.recipe;
  model.info.system = system;
  model.info.target = target;
  model.info.options = std::move(recorded);
  for (auto& option : chosen.record(used)) {
    model.info.options.push_back(std::move(option));
  }
  model.info.seed = options.seed;
  model.info.sources = data.sources;
  if (data.unlabelled) {
    const auto& more = data.unlabelled->sources;
    model.info.sources.insert(model.info.sources.end(), more.begin(), more.end());
  }
  model.info.created_by = fmt::format("megadapt {}", version());
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    model.info.domains.push_back({std::string(data.domains().name(d)),
                                  static_cast<std::uint64_t>(rows[d]),
                                  model.predictor->general_share(d)});
  }
  model.binning = data.binning();
  model.scaling = data.schema->scaling;
  model.features = data.features().view();
  model.storage = data.schema;
  return model;
}

}  // namespace megadapt
