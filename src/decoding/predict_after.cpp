#include <algorithm>

#include "decoding/decoding.hpp"

namespace megadapt {

void predict_after(const Predictor& predictor, RowView context,
                   std::span<const std::span<const std::uint32_t>> templates,
                   std::uint32_t domain, std::span<const std::uint32_t> previous,
                   std::span<double> probability) {
  const std::size_t K = templates.size();
  const std::uint32_t Y = predictor.num_labels();
  thread_local std::vector<std::uint32_t> features;  // [E][K]; rows may end early
  thread_local std::vector<RowView> extensions;
  features.resize(previous.size() * K);
  extensions.clear();
  bool any = false;
  for (std::size_t e = 0; e < previous.size(); ++e) {
    std::uint32_t* begin = features.data() + e * K;
    std::uint32_t* end = begin;
    for (const std::span<const std::uint32_t> of_template : templates) {
      const std::uint32_t feature = feature_after(of_template, previous[e]);
      if (feature != kNone) *end++ = feature;
    }
    extensions.push_back({{begin, end}, {}});
    any |= begin != end;
  }
  if (any) return predictor.predict_extended(context, extensions, domain, probability);
  // No template fires, so the previous tag makes no difference.
  predictor.predict_extended(context, std::span(extensions).first(1), domain,
                             probability.first(Y));
  for (std::size_t e = 1; e < previous.size(); ++e) {
    std::copy_n(probability.begin(), Y,
                probability.begin() + static_cast<std::ptrdiff_t>(e * Y));
  }
}

}  // namespace megadapt
