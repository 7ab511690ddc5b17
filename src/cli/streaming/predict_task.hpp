#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "megadapt/execution.hpp"
#include "megadapt/model.hpp"

namespace megadapt::cli {

/// What a model of a task says of one token or marked span.
struct TaskRow {
  std::size_t label;                    ///< of the best sequence of tags
  std::span<const double> probability;  ///< of each label given the whole sentence
  std::optional<double> general;        ///< P(general | x) where the model has a gate
  std::string_view id;
};

struct TaskInput {
  std::string path;
  std::string format;
  std::string as_domain;
  bool labelled = true;
};

/// Calls `write` for every row of the file, which appends to a buffer that `flush` gets in
/// the order of the file, and `paused` when the input pauses.
void predict_task(const Model& model, const TaskInput& input, const Execution& exec,
                  const std::function<void(const TaskRow&, std::string&)>& write,
                  const std::function<void(const std::string&)>& flush,
                  const std::function<void()>& paused);

}  // namespace megadapt::cli
