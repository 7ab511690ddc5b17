#include "fuzz/targets.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "base/json.hpp"
#include "fuzz/support.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/error.hpp"
#include "megadapt/report.hpp"
#include "models/model_over.hpp"
#include "serve/served_model.hpp"
#include "serve/service.hpp"
#include "support/planted_domains.hpp"
#include "systems/checkpoint.hpp"
#include "web/assets.hpp"

namespace megadapt::fuzz {
namespace {

// A model that loads gives finite probabilities, or a NumericError.
std::vector<double> use_model(const Model& model) {
  std::vector<double> found;
  const auto shared = std::shared_ptr<const Model>(std::shared_ptr<void>(), &model);
  const Classifier classifier(shared);
  Example example;
  for (std::uint32_t f = 0; f < std::min(model.features.size(), 20u); ++f) {
    example.features.emplace_back(model.features.name(f), 1.0f);
  }
  example.features.emplace_back("unknown", 1.0f);
  for (const std::string& domain : classifier.domains()) {
    example.domain = domain;
    const std::vector<double> some = classifier.predict(example).probabilities;
    require(some.size() == model.labels.size());
    for (const double p : some) require(std::isfinite(p));
    found.insert(found.end(), some.begin(), some.end());
    classifier.explain(example);
  }
  if (!classifier.has_task()) return found;
  const Tagger tagger(shared);
  TokenList list{.tokens = {"The", "mayor", "of", "Paris", "spoke", "."}};
  if (tagger.task().spans()) list.span = {1, 2};
  tagger.predict(list);
  return found;
}

// The model in memory and the mapped file give the same answers, or are both refused.
void fuzz_model(std::string_view bytes) {
  const std::string file = with_right_checksums(std::string(bytes));
  std::vector<double> answers;
  bool refused = false;
  try {
    answers = use_model(model_over(std::as_bytes(std::span(file)), "m.mega", true));
  } catch (const Error&) {
    refused = true;
  }
  const MemoryFile mapped(file);
  try {
    const std::vector<double> again = use_model(load_model(mapped.path()));
    require(!refused && again.size() == answers.size());
    require(std::memcmp(again.data(), answers.data(), again.size() * sizeof(double)) == 0);
  } catch (const Error&) {
    require(refused);
  }
}

const Dataset& checkpoint_data() {
  static const Dataset data = testing_support::planted_domains(20, 10, 1);
  return data;
}

Checkpoint checkpoint_at(const std::string& path) {
  return {path, "options", 3, checkpoint_data(), true, serial_communicator()};
}

std::string good_checkpoint() {
  const Dataset& data = checkpoint_data();
  const std::size_t F = data.num_features(), K = data.num_domains();
  const Component component{std::vector<double>(F * data.num_labels(), 0.5),
                            std::vector<double>(F, 0.5)};
  MixtureState state;
  state.rounds_done = 2;
  state.mixture.general = component;
  state.mixture.domain.assign(K, component);
  state.mixture.general_share.assign(K, 0.5);
  state.mixture.gate = {std::vector<double>(K), std::vector<double>(F * K)};
  state.fitted_general.assign(data.num_examples(), 0.5);
  state.fitted_specific = state.fitted_general;
  const ScratchFolder folder;
  checkpoint_at(folder.path() + "/c").save(state);
  return file_bytes(folder.path() + "/c");
}

void fuzz_checkpoint(std::string_view bytes) {
  static const std::string good = good_checkpoint();
  const MemoryFile file(with_right_checksums(with_changes(good, bytes)));
  try {
    const auto state = checkpoint_at(file.path()).load();
    require(state && state->rounds_done <= 3 && state->mixture.domain.size() == 2);
  } catch (const Error&) {
  }
}

void fuzz_text_import(std::string_view bytes) {
  std::istringstream in{std::string(bytes)};
  try {
    import_model(in, "m.txt", "/dev/null");
  } catch (const Error&) {
  }
}

void fuzz_result(std::string_view bytes) {
  require(!assets().empty());  // without the page, every result would be refused unread
  try {
    render_report(bytes, "result.json");
  } catch (const Error&) {
  }
}

// The whole way of a request behind the HTTP parser: the first two lines are Host and
// Origin, the rest is the body.
void fuzz_request(std::string_view bytes) {
  static const serve::Service service(testing_support::served_model(),
                                      {.hosts = {"localhost", "::1"}});
  const bool explains = take_choice(bytes, 2) == 1;
  const auto take_line = [&] {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    return line;
  };
  serve::Request request{.method = "POST",
                         .path = explains ? "/v1/explain" : "/v1/predict"};
  request.host = take_line();
  request.origin = take_line();
  request.body = bytes;
  const serve::Response response = service.answer(request);
  require(response.status != 500);
  require(parse_json(response.body).is_object());
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {{"checkpoint", fuzz_checkpoint},
                                          {"gazetteer", fuzz_gazetteer},
                                          {"kernels", fuzz_kernels},
                                          {"label_map", fuzz_label_map},
                                          {"model", fuzz_model},
                                          {"part", fuzz_part},
                                          {"predict", fuzz_predict},
                                          {"ranks", fuzz_ranks},
                                          {"request", fuzz_request},
                                          {"result", fuzz_result},
                                          {"row_cache", fuzz_row_cache},
                                          {"rows", fuzz_rows},
                                          {"sentences", fuzz_sentences},
                                          {"session", fuzz_session},
                                          {"settings", fuzz_settings},
                                          {"template", fuzz_template},
                                          {"text_import", fuzz_text_import},
                                          {"threads", fuzz_threads},
                                          {"words", fuzz_words}};
  return all;
}

const Target& find_target(std::string_view name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  if (found == targets().end()) throw std::out_of_range(std::string(name));
  return *found;
}

}  // namespace megadapt::fuzz
