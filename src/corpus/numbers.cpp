#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "corpus/fields.hpp"

namespace megadapt::corpus {
namespace {

constexpr const char* kNotANumber = "is not a number";
constexpr const char* kTooLarge = "is too large";

const char* parse_double(std::string_view text, double& number) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return kNotANumber;
  }
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::invalid_argument || stop != end) return kNotANumber;
  if (error == std::errc::result_out_of_range) {
    // from_chars does not say whether the number is too large or too small; the exponent
    // does.
    if (text.find("e-") == text.npos && text.find("E-") == text.npos) return kTooLarge;
    number = 0;
  }
  return std::isfinite(number) ? nullptr : "is not finite";
}

}  // namespace

const char* parse_value(std::string_view text, float& value) {
  if (text.size() == 1 && text[0] >= '0' && text[0] <= '9') {  // nearly every value is 1
    value = static_cast<float>(text[0] - '0');
    return nullptr;
  }
  double number = 0;
  if (const char* problem = parse_double(text, number)) return problem;
  if (std::abs(number) > static_cast<double>(std::numeric_limits<float>::max())) {
    return kTooLarge;
  }
  value = static_cast<float>(number);
  return nullptr;
}

const char* parse_weight(std::string_view text, double& weight) {
  if (const char* problem = parse_double(text, weight)) return problem;
  return weight < 0 ? "is negative" : nullptr;
}

}  // namespace megadapt::corpus
