#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "container/sections.hpp"
#include "megadapt/model.hpp"
#include "models/load_predictor.hpp"
#include "models/predictors.hpp"

namespace megadapt {

FormerPredictor::FormerPredictor(std::shared_ptr<const Predictor> former,
                                 std::uint32_t domain, std::uint32_t num_labels,
                                 std::uint32_t num_features)
    : former_(std::move(former)),
      domain_(domain),
      num_labels_(num_labels),
      num_features_(num_features) {}

FormerPredictor::FormerPredictor(const SectionReader& in, const std::string& prefix) {
  const auto shape = in.u32(prefix + "shape");
  if (shape.size() != 3)
    in.damaged(fmt::format("section '{}shape' does not have 3 numbers", prefix));
  domain_ = shape[0];
  num_labels_ = shape[1];
  num_features_ = shape[2];
  const std::string own = prefix + "former/";
  former_ = load_predictor(in.text(own + "kind"), in, own);
  if (former_->num_labels() > num_labels_ || former_->num_features() > num_features_ ||
      (former_->num_domains() > 0 && domain_ >= former_->num_domains())) {
    in.damaged(fmt::format("the model under '{}' does not fit its shape", own));
  }
}

void FormerPredictor::predict(RowView row, std::uint32_t /*domain*/,
                              Numbers probability) const {
  const std::size_t known = former_->num_labels();
  former_->predict(row, domain_, probability.first(known));
  std::fill(probability.begin() + static_cast<std::ptrdiff_t>(known), probability.end(), 0);
}

ModelPart FormerPredictor::parts(const PartNames& names) const {
  ModelPart whole{.predictor = this};
  ModelPart& former = whole.children.emplace_back(former_->parts(names));
  former.name = "former";
  former.role = PartRole::former;
  former.domain = domain_;
  return whole;
}

void FormerPredictor::save(SectionWriter& out, const std::string& prefix) const {
  const std::array<std::uint32_t, 3> shape = {domain_, num_labels_, num_features_};
  const auto bytes = std::as_bytes(std::span(shape));
  out.add(prefix + "shape", SectionType::u32, 1, {bytes.begin(), bytes.end()});
  out.add(prefix + "former/kind", std::string(former_->kind()));
  former_->save(out, prefix + "former/");
}

}  // namespace megadapt
