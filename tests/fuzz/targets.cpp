#include "fuzz/targets.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/json.hpp"
#include "corpus/memory_source.hpp"
#include "corpus/readers.hpp"
#include "features/features.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/error.hpp"
#include "megadapt/report.hpp"
#include "models/model_over.hpp"
#include "sentences/readers.hpp"
#include "serve/served_model.hpp"
#include "serve/service.hpp"
#include "support/planted_domains.hpp"
#include "systems/checkpoint.hpp"

namespace megadapt::fuzz {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// Takes a byte that chooses among `count` ways to read the rest.
std::size_t take_choice(std::string_view& bytes, std::size_t count) {
  if (bytes.empty()) return 0;
  const auto choice = static_cast<unsigned char>(bytes[0]) % count;
  bytes.remove_prefix(1);
  return choice;
}

// The same bytes through small and large buffers give the same rows or the same error.
std::string rows_as_text(std::string_view bytes, const ReadOptions& options,
                         std::size_t chunk, std::size_t buffer) {
  std::ostringstream text;
  try {
    const auto reader =
        corpus::open_rows(std::make_unique<corpus::MemorySource>(std::string(bytes), chunk),
                          "data", options, buffer);
    for (Row row; reader->next(row);) {
      text << row.line << row.label << row.domain << row.weight;
      for (const NamedFeature& feature : row.features) {
        require(std::isfinite(feature.value));
        text << ' ' << feature.name << feature.value;
      }
    }
  } catch (const Error& error) {
    text << error.what();
  }
  return text.str();
}

void fuzz_rows(std::string_view bytes) {
  ReadOptions options{.format = static_cast<Format>(take_choice(bytes, 7))};
  options.labelled = take_choice(bytes, 2) == 0;
  if (take_choice(bytes, 2) == 1) options.text = {.word_ngrams = 2, .char_ngrams = 3};
  const std::string whole = rows_as_text(bytes, options, std::string::npos, 1 << 18);
  // What a file looks like is guessed from what arrives first, so only a given format must
  // not depend on the pieces.
  if (options.format != Format::guess) {
    require(rows_as_text(bytes, options, 7, 16) == whole);
  }
}

void fuzz_sentences(std::string_view bytes) {
  SentenceOptions options{.format = static_cast<SentenceFormat>(take_choice(bytes, 5))};
  options.labelled = take_choice(bytes, 2) == 0;
  options.spans = take_choice(bytes, 2) == 1;
  options.skip_bad = take_choice(bytes, 2) == 1;
  try {
    const auto reader = sentences::open_sentences(
        std::make_unique<corpus::MemorySource>(std::string(bytes), 100), "data", options,
        64);
    for (Sentence sentence; reader->next(sentence);) {
      require(sentence.forms.size() == sentence.tokens.size());
      require(!sentence.is_span || sentence.span_end <= sentence.size());
    }
  } catch (const Error&) {
  }
}

void fuzz_template(std::string_view bytes) {
  class Ignore final : public FeatureSink {
    void feature(std::string_view) override {}
    void tag_feature(std::size_t, std::string_view, std::string_view) override {}
    void end_token() override {}
  };
  const TemplateScope scope{.columns = {"pos"}, .gazetteers = {"cities"}};
  try {
    const FeatureTemplate features = FeatureTemplate::parse(bytes, "template", scope);
    const std::vector<Gazetteer> gazetteers = {{"cities", "new york\nparis\n"}};
    FeatureExtractor extractor(features, gazetteers);
    Sentence sentence;
    sentence.tokens = {"In", "New", "York", "1999", "\xc3\x89t\xc3\xa9"};
    sentence.forms = sentence.tokens;
    sentence.columns = {{"IN", "NNP", "NNP", "CD", ""}};
    Ignore sink;
    extractor.extract(sentence, sink);
  } catch (const Error&) {
  }
}

// A file in memory, for readers that take a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("fuzz", 0)) {
    require(write(descriptor_, bytes.data(), bytes.size()) ==
            static_cast<ssize_t>(bytes.size()));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void fuzz_label_map(std::string_view bytes) {
  try {
    LabelMap map = LabelMap::read(MemoryFile(bytes).path());
    std::string_view label = "a";
    map.apply("in", label);
    LabelMap again(map.rules());
    require(again.rules() == map.rules());
  } catch (const Error&) {
  }
}

// Numbers that are finite but huge can overflow in a sum; that is a NumericError's business
// in training, and may give NaN here. Reading outside of memory never may.
void use_model(const Model& model) {
  const auto shared = std::shared_ptr<const Model>(std::shared_ptr<void>(), &model);
  const Classifier classifier(shared);
  Example example;
  for (std::uint32_t f = 0; f < std::min(model.features.size(), 20u); ++f) {
    example.features.emplace_back(model.features.name(f), 1.0f);
  }
  example.features.emplace_back("unknown", 1.0f);
  for (const std::string& domain : classifier.domains()) {
    example.domain = domain;
    require(classifier.predict(example).probabilities.size() == model.labels.size());
    classifier.explain(example);
  }
  if (!classifier.has_task()) return;
  const Tagger tagger(shared);
  TokenList list{.tokens = {"The", "mayor", "of", "Paris", "spoke", "."}};
  if (tagger.task().spans()) list.span = {1, 2};
  tagger.predict(list);
}

void fuzz_model(std::string_view bytes) {
  const std::string file = with_right_checksums(std::string(bytes));
  try {
    use_model(model_over(std::as_bytes(std::span(file)), "m.mega", true));
  } catch (const Error&) {
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
  std::string folder = "/tmp/megadapt-fuzz-XXXXXX";
  require(mkdtemp(folder.data()) != nullptr);
  checkpoint_at(folder + "/c").save(state);
  std::ifstream in(folder + "/c", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove_all(folder);
  return bytes;
}

// Every three bytes are a change of a good checkpoint: where, in two bytes, and to what.
void fuzz_checkpoint(std::string_view bytes) {
  static const std::string good = good_checkpoint();
  std::string changed = good;
  for (; bytes.size() >= 3; bytes.remove_prefix(3)) {
    const auto low = static_cast<unsigned char>(bytes[0]);
    const auto high = static_cast<unsigned char>(bytes[1]);
    changed[(low + 256u * high) % changed.size()] = bytes[2];
  }
  const MemoryFile file(with_right_checksums(std::move(changed)));
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
                                          {"label_map", fuzz_label_map},
                                          {"model", fuzz_model},
                                          {"request", fuzz_request},
                                          {"result", fuzz_result},
                                          {"rows", fuzz_rows},
                                          {"sentences", fuzz_sentences},
                                          {"template", fuzz_template},
                                          {"text_import", fuzz_text_import}};
  return all;
}

const Target& find_target(std::string_view name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  if (found == targets().end()) throw std::out_of_range(std::string(name));
  return *found;
}

}  // namespace megadapt::fuzz
