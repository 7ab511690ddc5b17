#include "mega/gate.hpp"

namespace megadapt {

std::unique_ptr<GateTrainer> make_gate(const Dataset& data, const Experts& experts,
                                       const MixtureOptions& options,
                                       const Execution& exec) {
  return options.gate == Gate::logistic ? make_logistic_gate(data, experts, options, exec)
                                        : make_presence_gate(data, experts, options, exec);
}

std::vector<double> gate_sums(const Dataset& data, const LinearGate& gate,
                              const Execution& exec) {
  const std::size_t K = gate.intercept.size();
  std::vector<double> sums(data.num_examples());
  exec.parallel_for(data.num_examples(), 4096, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      const RowView row = data.rows[n];
      const double* weights = gate.weights.data() + data.domain[n];
      double sum = 0;
      for (std::size_t i = 0; i < row.features.size(); ++i) {
        if (row.values.empty() || row.values[i] > 0) sum += weights[row.features[i] * K];
      }
      sums[n] = sum;
    }
  });
  return sums;
}

}  // namespace megadapt
