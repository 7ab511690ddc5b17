#include "adaptation/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "files/atomic_file.hpp"
#include "files/mapped_file.hpp"
#include "megadapt/error.hpp"
#include "model_file/container.hpp"

namespace megadapt {
namespace {

std::string component_prefix(std::size_t c) {
  return c == 0 ? "general/" : fmt::format("domain{}/", c - 1);
}

std::vector<double> read(const Container& in, const std::string& name) {
  const auto values = in.f64(name);
  return {values.begin(), values.end()};
}

}  // namespace

void save_checkpoint(const MixtureState& state, const std::string& fingerprint,
                     const std::string& path) {
  const Mixture& mixture = state.mixture;
  const auto rounds = static_cast<std::uint32_t>(state.rounds_done);
  // A share held at 0 or 1 has infinite log-odds; a file holds finite numbers only, and the
  // presence gate computes its intercept from the share anyway.
  std::vector<double> intercept = mixture.gate.intercept;
  for (double& value : intercept) value = std::clamp(value, -1e30, 1e30);
  SectionWriter out;
  out.add("training", fingerprint);
  out.add("rounds_done", std::span(&rounds, 1));
  for (std::size_t c = 0; c <= mixture.domain.size(); ++c) {
    const Component& component = c == 0 ? mixture.general : mixture.domain[c - 1];
    out.add(component_prefix(c) + "weights", std::span<const double>(component.weights));
    out.add(component_prefix(c) + "presence", std::span<const double>(component.presence));
  }
  out.add("general_share", std::span<const double>(mixture.general_share));
  out.add("gate/intercept", std::span<const double>(intercept));
  out.add("gate/weights", std::span<const double>(mixture.gate.weights));
  out.add("fitted/general", std::span<const double>(state.fitted_general));
  out.add("fitted/specific", std::span<const double>(state.fitted_specific));
  AtomicFile file(path);
  write_container(out, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

std::optional<MixtureState> load_checkpoint(const std::string& fingerprint,
                                            const std::string& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const MappedFile file(path);
  const Container in(file.bytes(), path);
  in.verify_checksums();
  if (!in.has("training")) in.damaged("it is not a checkpoint");
  if (in.text("training") != fingerprint) {
    throw UsageError(
        fmt::format("{}: the checkpoint is of another training (data or options differ)",
                    path),
        "remove it to start anew, or name another --checkpoint file");
  }
  MixtureState state;
  state.rounds_done = static_cast<int>(in.u32("rounds_done")[0]);
  Mixture& mixture = state.mixture;
  mixture.general_share = read(in, "general_share");
  mixture.domain.resize(mixture.general_share.size());
  for (std::size_t c = 0; c <= mixture.domain.size(); ++c) {
    Component& component = c == 0 ? mixture.general : mixture.domain[c - 1];
    component.weights = read(in, component_prefix(c) + "weights");
    component.presence = read(in, component_prefix(c) + "presence");
  }
  mixture.gate.intercept = read(in, "gate/intercept");
  mixture.gate.weights = read(in, "gate/weights");
  state.fitted_general = read(in, "fitted/general");
  state.fitted_specific = read(in, "fitted/specific");
  return state;
}

}  // namespace megadapt
