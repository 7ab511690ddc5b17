#include "cli/text/trace.hpp"

#include <nlohmann/json.hpp>

#include "base/json.hpp"

namespace megadapt::cli {

Trace::Trace(const std::string& path, std::vector<std::string> domains)
    : file_(path), domains_(std::move(domains)) {}

void Trace::add(const MixtureStep& step) {
  nlohmann::ordered_json shares = nlohmann::ordered_json::object();
  for (std::size_t d = 0; d < domains_.size(); ++d)
    shares[domains_[d]] = step.general_share[d];
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  const nlohmann::ordered_json line = {
      {"round", step.round}, {"step", step.step},       {"objective", step.objective},
      {"bound", step.bound}, {"general_share", shares}, {"seconds", seconds.count()}};
  file_.write(json_text(line) + "\n");
  file_.flush();
}

}  // namespace megadapt::cli
