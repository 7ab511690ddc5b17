#include "systems/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/atomic_file.hpp"
#include "base/mapped_file.hpp"
#include "container/container.hpp"
#include "container/sections.hpp"
#include "dataset/row_runs.hpp"
#include "execution/collectives.hpp"
#include "megadapt/error.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

std::string component_prefix(std::size_t c) {
  return c == 0 ? "general/" : fmt::format("domain{}/", c - 1);
}

std::vector<double> read(const Container& in, const std::string& name) {
  const auto values = in.f64(name);
  return {values.begin(), values.end()};
}

// One line per file: domain, rows, checksum. Ranks that share a file do not know its
// checksum.
constexpr char kUnknown[] = "unknown";

std::string sources_text(const Dataset& data) {
  std::string text;
  for (const SourceFile& source : data.sources) {
    text += fmt::format("{}\t{}\t{}\n", source.domain, source.rows,
                        source.sha256.empty() ? kUnknown : source.sha256);
  }
  return text;
}

bool same_sources(const std::string& saved, const Dataset& data) {
  std::istringstream before(saved), now(sources_text(data));
  for (const SourceFile& source : data.sources) {
    std::string a, b;
    std::getline(before, a);
    std::getline(now, b);
    const std::string known = fmt::format("{}\t{}\t", source.domain, source.rows);
    const bool unknown = a == known + kUnknown || b == known + kUnknown;
    if (a != b && !(unknown && a.starts_with(known))) return false;
  }
  return before.peek() == std::istringstream::traits_type::eof();
}

}  // namespace

void Checkpoint::save(const MixtureState& state) const {
  std::vector<double> general, specific;
  if (with_rows) {
    general = gather_rows(state.fitted_general, data.runs, ranks);
    specific = gather_rows(state.fitted_specific, data.runs, ranks);
  }
  if (ranks.rank() > 0) return;
  const Mixture& mixture = state.mixture;
  const auto rounds = static_cast<std::uint32_t>(state.rounds_done);
  // A share held at 0 or 1 has infinite log-odds; a file holds finite numbers only, and the
  // presence gate computes its intercept from the share anyway.
  std::vector<double> intercept = mixture.gate.intercept;
  for (double& value : intercept) value = std::clamp(value, -1e30, 1e30);
  SectionWriter out;
  out.add("training", training);
  out.add("sources", sources_text(data));
  out.add("rounds_done", std::span(&rounds, 1));
  for (std::size_t c = 0; c <= mixture.domain.size(); ++c) {
    const Component& component = c == 0 ? mixture.general : mixture.domain[c - 1];
    out.add(component_prefix(c) + "weights", std::span<const double>(component.weights));
    out.add(component_prefix(c) + "presence", std::span<const double>(component.presence));
  }
  out.add("general_share", std::span<const double>(mixture.general_share));
  out.add("gate/intercept", std::span<const double>(intercept));
  out.add("gate/weights", std::span<const double>(mixture.gate.weights));
  out.add("fitted/general", std::span<const double>(general));
  out.add("fitted/specific", std::span<const double>(specific));
  AtomicFile file(path);
  write_container(out, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

std::optional<MixtureState> Checkpoint::load() const {
  std::string bytes;
  if (ranks.rank() == 0 && std::filesystem::exists(path)) {
    bytes = MappedFile(path).text();
    if (bytes.empty()) bytes.push_back('\n');  // treated as damaged, not as missing
  }
  bytes = broadcast(ranks, std::move(bytes));
  if (bytes.empty()) return std::nullopt;
  const Container in(std::as_bytes(std::span(bytes)), path);
  in.verify_checksums();
  if (!in.has("training")) in.damaged("it is not a checkpoint");
  if (in.text("training") != training || !same_sources(in.text("sources"), data)) {
    throw UsageError(
        fmt::format("{}: the checkpoint is of another training or version (data or "
                    "options differ)",
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
  if (with_rows) {
    state.fitted_general = scatter_rows(in.f64("fitted/general"), data.runs);
    state.fitted_specific = scatter_rows(in.f64("fitted/specific"), data.runs);
  }
  return state;
}

}  // namespace megadapt
