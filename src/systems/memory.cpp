#include "systems/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "execution/collectives.hpp"
#include "megadapt/error.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent_objective.hpp"
#include "systems/self_training.hpp"

namespace megadapt {
namespace {

// How many vectors of the size of the weights an optimiser holds. Newton's method has the
// point, the trial, the gradient, and five for conjugate gradients. L-BFGS has nine pairs
// of vectors, a diagonal, a direction, two points and two gradients: 24, and one to spare.
constexpr double kNewtonVectors = 8;
constexpr double kLbfgsVectors = 25;
constexpr double kBytesPerNonzero = 20;  // a row's entry in both orders, in data and in fit

constexpr double kBytesPerRow = 24;  // its begin, label, domain, group and weight

struct Shape {
  double rows, nonzeros, features, labels, domains;
  std::uint32_t stride;
};

Shape shape_of(const Dataset& data) {
  return {
      static_cast<double>(data.num_examples()), static_cast<double>(data.rows.nonzeros()),
      static_cast<double>(data.num_features()), static_cast<double>(data.num_labels()),
      static_cast<double>(data.num_domains()),  label_stride(data.num_labels())};
}

// A system that reads specific-variance has one set of weights for each domain and one for
// all domains.
double weight_sets(const System& system, const Shape& shape) {
  return std::ranges::count(system.traits().reads, "specific-variance") > 0
             ? shape.domains + 1
             : 1;
}

// Returns how many of the weight_sets() one fit solves for at once. The optimiser's vectors
// then hold all of them.
double sets_at_once(const System& system, const Options& options, const Shape& shape) {
  const bool one_by_one = system.traits().has_gate && options.centre != Centre::others;
  return one_by_one ? 1 : weight_sets(system, shape);
}

double residual_bytes(const System& system, const Options& options, const Shape& shape) {
  const std::size_t real = options.precision == Precision::double_ ? 8 : 4;
  const auto rows = static_cast<std::size_t>(shape.rows);
  const double row = static_cast<double>(real) * shape.stride;
  const bool kept = keeps_probabilities(rows, shape.stride, real);
  const double tile =
      static_cast<double>(std::min(rows, TiledRows::rows_per_tile(shape.stride)));
  double bytes = (kept ? shape.rows : 0) * row + tile * row;
  // Leave-one-out keeps each row's probabilities under the general and the specific expert.
  const bool leaves_one_out = system.traits().has_gate && options.e_step &&
                              options.e_step->how == EStep::leave_one_out;
  if (leaves_one_out) bytes += 2 * shape.rows * shape.labels * sizeof(float);
  return bytes;
}

double optimizer_bytes(const System& system, const Options& options, const Shape& shape) {
  const double real = options.precision == Precision::double_ ? 8 : 4;
  const double vectors =
      options.optimizer == Optimizer::lbfgs ? kLbfgsVectors : kNewtonVectors;
  return vectors * real * shape.stride * shape.features *
         sets_at_once(system, options, shape);
}

double weight_bytes(const System& system, const Shape& shape) {
  return sizeof(double) * shape.features * shape.labels * weight_sets(system, shape);
}

// Returns the bytes of a copy of the rows in one order, as --class-weight makes it.
double copy_bytes(const Dataset& data) {
  const double entry = data.rows.has_values() ? 8 : 4;
  return entry * static_cast<double>(data.rows.nonzeros()) +
         kBytesPerRow * static_cast<double>(data.num_examples());
}

// Returns the bytes of the unlabelled rows, and of the copy of all rows in which the
// unlabelled ones have shares of labels.
double unlabelled_bytes(const Dataset& data) {
  const Dataset& more = *data.unlabelled;
  const Shape shape = shape_of(more);
  return kBytesPerNonzero * shape.nonzeros + 48 * shape.rows + copy_bytes(data) +
         copy_bytes(more) + sizeof(LabelShare) * shape.rows * data.num_labels();
}

std::string size_text(double bytes) {
  static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 && unit > 0 ? 1 : 0, kUnits[unit]);
}

}  // namespace

std::vector<MemoryPart> training_memory(const Dataset& data, const System& system,
                                        const Options& options) {
  Shape shape = shape_of(data);
  std::vector<const System*> fitted = system.members();
  if (fitted.empty()) fitted = {&system};
  MemoryPart rows{"rows", kBytesPerNonzero * shape.nonzeros + 48 * shape.rows};
  const bool uses_unlabelled = std::ranges::any_of(
      fitted, [&](const System* one) { return self_trains(*one, data, options); });
  if (uses_unlabelled) shape.rows += static_cast<double>(data.unlabelled->num_examples());
  MemoryPart residuals{"residuals"}, optimizer{"optimiser"}, weights{"weights"};
  // Members of a combination are fitted one after the other, and all are kept.
  for (const System* one : fitted) {
    const Options used = one->completed(options);
    residuals.bytes = std::max(residuals.bytes, residual_bytes(*one, used, shape));
    optimizer.bytes = std::max(optimizer.bytes, optimizer_bytes(*one, used, shape));
    weights.bytes += weight_bytes(*one, shape);
  }
  std::vector<MemoryPart> parts = {rows, residuals, optimizer, weights};
  if (!options.class_weight.empty())
    parts.push_back({"rows with weights", copy_bytes(data)});
  if (uses_unlabelled) parts.push_back({"unlabelled rows", unlabelled_bytes(data)});
  return parts;
}

void refuse_memory(const Dataset& data, const System& system, const Options& options,
                   std::uint64_t limit, Communicator& ranks) {
  double total = 0;
  std::string parts;
  for (const MemoryPart& part : training_memory(data, system, options)) {
    total += part.bytes;
    parts +=
        fmt::format("{}{} {}", parts.empty() ? "" : ", ", part.name, size_text(part.bytes));
  }
  const bool fits = total <= static_cast<double>(limit);
  if (summed(ranks, fits ? 0 : 1) == 0) return;
  throw ResourceError(
      fmt::format("training with {} takes about {} and --memory-limit is {}: {}",
                  system.name(), size_text(total), size_text(static_cast<double>(limit)),
                  parts),
      "use fewer rows or labels, or --min-count to drop rare features, or raise the limit");
}

}  // namespace megadapt
