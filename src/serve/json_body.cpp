#include "serve/json_body.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/json.hpp"
#include "serve/responses.hpp"

namespace megadapt::serve {
namespace {

using Tree = nlohmann::json;

constexpr std::size_t kDeepest = 4;  // {"rows": [{"features": {...}}]}

/// Builds the tree of a body. A number with a fraction or an exponent becomes a binary
/// value that holds its text; JSON text gives no other binary values.
class BodyBuilder final : public Tree::json_sax_t {
 public:
  explicit BodyBuilder(const char* shape) : shape_(shape) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t number) override { return add(number); }
  bool number_unsigned(std::uint64_t number) override { return add(number); }
  bool number_float(double, const std::string& text) override {
    return add(Tree::binary(std::vector<std::uint8_t>(text.begin(), text.end())));
  }
  bool string(std::string& text) override { return add(std::move(text)); }
  bool binary(Tree::binary_t&) override { return true; }
  bool key(std::string& name) override {
    key_ = std::move(name);
    return true;
  }
  bool start_object(std::size_t) override { return open(Tree::object()); }
  bool start_array(std::size_t) override { return open(Tree::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string&,
                   const Tree::exception& error) override {
    if (error.id == 406) {  // nlohmann: the number is too large for a double
      throw Refusal{400, "a number is too large", "send finite numbers of a usual size"};
    }
    throw Refusal{400, fmt::format("the body is not valid JSON at byte {}", position),
                  shape_};
  }

  Tree take() { return std::move(root_); }

 private:
  Tree& put(Tree value) {
    if (open_.empty()) return root_ = std::move(value);
    Tree& parent = *open_.back();
    if (parent.is_object()) return parent[key_] = std::move(value);
    parent.push_back(std::move(value));
    return parent.back();
  }
  bool add(Tree value) {
    put(std::move(value));
    return true;
  }
  bool open(Tree empty) {
    open_.push_back(&put(std::move(empty)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const char* shape_;
  Tree root_;
  std::vector<Tree*> open_;  // a list does not grow while one of its items is open
  std::string key_;
};

}  // namespace

// Limits the depth: a body of brackets would become a tree many times its size.
Tree parse_body(std::string_view body, const char* shape) {
  if (nested_deeper(body, kDeepest)) {
    throw Refusal{400, "the JSON is nested too deeply", shape};
  }
  BodyBuilder builder(shape);
  Tree::sax_parse(body.begin(), body.end(), &builder);
  return builder.take();
}

bool is_number(const Tree& value) { return value.is_number() || value.is_binary(); }

double number_of(const Tree& value) {
  return value.is_binary() ? Tree::parse(text_of(value)).get<double>()
                           : value.get<double>();
}

std::string text_of(const Tree& value) {
  if (!value.is_binary()) return value.dump();
  const auto& bytes = value.get_binary();
  return {bytes.begin(), bytes.end()};
}

}  // namespace megadapt::serve
