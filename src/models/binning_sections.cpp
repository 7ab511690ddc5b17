#include <algorithm>

#include "models/model_sections.hpp"

namespace megadapt {
namespace {

bool are_bins(const Binning& binning) {
  const auto& begin = binning.begin;
  if (begin.size() != std::size_t{binning.features.size()} + 1 || begin.front() != 0 ||
      begin.back() != binning.edges.size() || !std::is_sorted(begin.begin(), begin.end())) {
    return false;
  }
  for (std::size_t i = 1; i < begin.size(); ++i) {
    if (!std::is_sorted(binning.edges.begin() + begin[i - 1],
                        binning.edges.begin() + begin[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace

void add_binning(SectionWriter& out, const Binning& binning) {
  if (binning.empty()) return;
  add_names(out, "binning", binning.features.view());
  out.add("binning/begin", binning.begin);
  out.add("binning/edges", binning.edges);
}

Binning read_binning(const SectionReader& in) {
  Binning binning;
  if (!in.has("binning/ends")) return binning;
  const NameIndexView names = read_names(in, "binning");
  for (std::uint32_t id = 0; id < names.size(); ++id) {
    if (binning.features.add(names.name(id)) != id) {
      in.damaged("section 'binning/bytes' has the same name twice");
    }
  }
  const auto begin = in.u32("binning/begin");
  const auto edges = in.f32("binning/edges");
  binning.begin.assign(begin.begin(), begin.end());
  binning.edges.assign(edges.begin(), edges.end());
  if (!are_bins(binning)) in.damaged("section 'binning/begin' does not fit the edges");
  return binning;
}

void add_scaling(SectionWriter& out, const Scaling& scaling) {
  if (scaling.empty()) return;
  out.add("scaling/shift", scaling.shift);
  out.add("scaling/scale", scaling.scale);
}

Scaling read_scaling(const SectionReader& in, std::uint32_t num_features) {
  Scaling scaling;
  if (!in.has("scaling/scale")) return scaling;
  const auto shift = in.f32("scaling/shift");
  const auto scale = in.f32("scaling/scale");
  if (scale.size() > num_features || (!shift.empty() && shift.size() != scale.size())) {
    in.damaged("section 'scaling/scale' does not fit the features");
  }
  scaling.shift.assign(shift.begin(), shift.end());
  scaling.scale.assign(scale.begin(), scale.end());
  return scaling;
}

}  // namespace megadapt
