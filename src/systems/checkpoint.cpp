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

// Returns the numbers of a section, of which there must be `size`.
std::vector<double> read(const Container& in, const std::string& name, std::size_t size) {
  const auto values = in.f64(name);
  if (values.size() != size) {
    in.damaged(fmt::format("section '{}' has {} numbers and should have {}", name,
                           values.size(), size));
  }
  return {values.begin(), values.end()};
}

// The same for probabilities.
std::vector<double> read_shares(const Container& in, const std::string& name,
                                std::size_t size) {
  std::vector<double> values = read(in, name, size);
  const bool fit =
      std::all_of(values.begin(), values.end(), [](double p) { return p >= 0 && p <= 1; });
  if (!fit) in.damaged(fmt::format("section '{}' has a number outside 0 to 1", name));
  return values;
}

int read_rounds(const Container& in, int most) {
  const auto rounds = in.u32("rounds_done");
  if (rounds.size() != 1 || rounds[0] > static_cast<std::uint32_t>(most)) {
    in.damaged(fmt::format("section 'rounds_done' is not a number up to {}", most));
  }
  return static_cast<int>(rounds[0]);
}

bool read_flag(const Container& in, const std::string& name) {
  const auto flag = in.u32(name);
  if (flag.size() != 1 || flag[0] > 1) {
    in.damaged(fmt::format("section '{}' is neither 0 nor 1", name));
  }
  return flag[0] == 1;
}

Component read_component(const Container& in, const std::string& prefix,
                         const Dataset& data) {
  const std::size_t F = data.num_features();
  return {read(in, prefix + "weights", F * data.num_labels()),
          read_shares(in, prefix + "presence", F)};
}

Mixture read_mixture(const Container& in, const Dataset& data) {
  const std::size_t K = data.num_domains();
  Mixture mixture;
  mixture.general = read_component(in, component_prefix(0), data);
  for (std::size_t c = 1; c <= K; ++c) {
    mixture.domain.push_back(read_component(in, component_prefix(c), data));
  }
  mixture.general_share = read_shares(in, "general_share", K);
  mixture.gate.intercept = read(in, "gate/intercept", K);
  mixture.gate.weights = read(in, "gate/weights", data.num_features() * K);
  return mixture;
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
  const auto rounds_done = static_cast<std::uint32_t>(state.rounds_done);
  // A share held at 0 or 1 has infinite log-odds; a file holds finite numbers only, and the
  // presence gate computes its intercept from the share anyway.
  std::vector<double> intercept = mixture.gate.intercept;
  for (double& value : intercept) value = std::clamp(value, -1e30, 1e30);
  SectionWriter out;
  out.add("training", training);
  out.add("sources", sources_text(data));
  out.add("rounds_done", std::span(&rounds_done, 1));
  out.add("moved", std::span(&state.end.moved, 1));
  const std::uint32_t settled = state.end.settled ? 1 : 0;
  out.add("settled", std::span(&settled, 1));
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
  in.refuse_out_of_range();
  if (!in.has("training")) in.damaged("it is not a checkpoint");
  if (in.text("training") != training || !same_sources(in.text("sources"), data)) {
    throw UsageError(
        fmt::format("{}: the checkpoint belongs to another training run (other data, "
                    "options or version)",
                    path),
        "remove it to start again, or name another --checkpoint file");
  }
  MixtureState state{.rounds_done = read_rounds(in, rounds),
                     .mixture = read_mixture(in, data),
                     .fitted_general = {},
                     .fitted_specific = {}};
  state.end = {state.rounds_done, read_shares(in, "moved", 1)[0], read_flag(in, "settled")};
  if (with_rows) {
    const auto all_rows =
        static_cast<std::size_t>(summed(ranks, static_cast<double>(data.num_examples())));
    state.fitted_general = scatter_rows(read(in, "fitted/general", all_rows), data.runs);
    state.fitted_specific = scatter_rows(read(in, "fitted/specific", all_rows), data.runs);
  }
  return state;
}

}  // namespace megadapt
