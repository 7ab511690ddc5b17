#pragma once

#include "megadapt/systems.hpp"
#include "support/planted_domains.hpp"

namespace megadapt::testing_support {

/// A small mixture for the domains "out" and "in" with the labels a, b, c.
inline const Model& served_model() {
  static const Model model = [] {
    const Execution exec(1);
    return train_model(planted_domains(120, 60, 1), "megam", "in", {}, {}, {exec});
  }();
  return model;
}

}  // namespace megadapt::testing_support
