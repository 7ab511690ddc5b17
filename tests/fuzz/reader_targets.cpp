// Readers of rows, sentences, templates, gazetteers and label maps.

#include <cmath>
#include <functional>
#include <sstream>

#include "corpus/memory_source.hpp"
#include "corpus/text/feature_maker.hpp"
#include "features/features.hpp"
#include "fuzz/support.hpp"
#include "fuzz/targets.hpp"
#include "megadapt/error.hpp"
#include "sentences/readers.hpp"

namespace megadapt::fuzz {
namespace {

using Source = std::unique_ptr<corpus::ByteSource>;

Source in_memory(std::string_view bytes, std::size_t piece = std::string::npos) {
  return std::make_unique<corpus::MemorySource>(std::string(bytes), piece);
}

bool is_compressed(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd");
}

// The rows, or the error, as text. If the reader leaves the features of text to its user,
// they are made here. How much of damaged compressed input is read depends on the buffer,
// so for such input this returns only that it was refused.
std::string rows_as_text(Source source, const ReadOptions& options, std::size_t buffer,
                         bool compressed) {
  std::ostringstream text;
  try {
    const auto reader = corpus::open_rows(std::move(source), "data", options, buffer);
    corpus::FeatureMaker maker(options.text, options.columns);
    for (Row row; reader->next(row);) {
      require(options.defer_features || !row.unmade);
      if (row.unmade) maker.make(row);
      text << row.line << row.label << row.domain << row.weight;
      for (const NamedFeature& feature : row.features) {
        require(std::isfinite(feature.value));
        text << ' ' << feature.name << feature.value;
      }
    }
  } catch (const Error& error) {
    if (compressed) return "refused";
    text << error.what();
  }
  return text.str();
}

TextOptions text_options(std::size_t choice) {
  switch (choice) {
    case 1:
      return {.word_ngrams = 2, .char_ngrams = 3};
    case 2:
      return {.word_ngrams = 2, .hash_bits = 4, .weights = TextWeights::counts};
    case 3:
      return {.lower_case = false, .word_rules = 1, .weights = TextWeights::log_counts};
    default:
      return {};
  }
}

// The sentences, or the error, as text.
std::string sentences_as_text(std::string_view bytes, std::size_t piece,
                              const SentenceOptions& options, std::size_t buffer) {
  std::ostringstream text;
  try {
    const auto reader =
        sentences::open_sentences(in_memory(bytes, piece), "data", options, buffer);
    for (Sentence sentence; reader->next(sentence);) {
      require(sentence.forms.size() == sentence.tokens.size());
      require(!sentence.is_span || sentence.span_end <= sentence.size());
      for (const std::string_view token : sentence.tokens) text << token << ' ';
      for (const std::string_view tag : sentence.tags) text << tag << ' ';
      text << sentence.id << '\n';
    }
  } catch (const Error& error) {
    if (is_compressed(bytes)) return "refused";
    text << error.what();
  }
  return text.str();
}

// Extracts the features of a sentence with one column and one gazetteer, named cities.
void extract(std::string_view features, std::string_view phrases) {
  class Ignore final : public FeatureSink {
    void feature(std::string_view) override {}
    void tag_feature(std::size_t, std::string_view, std::string_view) override {}
    void end_token() override {}
  };
  const TemplateScope scope{.columns = {"pos"}, .gazetteers = {"cities"}};
  try {
    const FeatureTemplate parsed = FeatureTemplate::parse(features, "template", scope);
    const std::vector<Gazetteer> gazetteers = {{"cities", std::string(phrases)}};
    FeatureExtractor extractor(parsed, gazetteers);
    Sentence sentence;
    sentence.tokens = {"In", "New", "York", "1999", "\xc3\x89t\xc3\xa9"};
    sentence.forms = sentence.tokens;
    sentence.columns = {{"IN", "NNP", "NNP", "CD", ""}};
    Ignore sink;
    extractor.extract(sentence, sink);
  } catch (const Error&) {
  }
}

}  // namespace

void fuzz_rows(std::string_view bytes) {
  ReadOptions options{.format = static_cast<Format>(take_choice(bytes, 8))};
  options.labelled = take_choice(bytes, 2) == 0;
  const std::size_t choices = take_choice(bytes, 16);
  options.text = text_options(choices % 4);
  options.expects_text = (choices & 4) != 0;
  if ((choices & 8) != 0) {
    options.columns = {.weight = "w", .numbers = {"price"}, .categories = {"kind"}};
  }
  const auto as_text = [&](Source source, std::size_t buffer) {
    return rows_as_text(std::move(source), options, buffer, is_compressed(bytes));
  };
  const std::string whole = as_text(in_memory(bytes), 1 << 18);
  const MemoryFile file(bytes);
  require_same(as_text(corpus::open_stored(file.path()), 1 << 18), whole);
  // The format is guessed from what arrives first, so only a given format must not depend
  // on the pieces.
  if (options.format != Format::guess) {
    require_same(as_text(in_memory(bytes, 7), 16), whole);
  }
  options.defer_features = true;
  require_same(as_text(in_memory(bytes), 1 << 18), whole);
}

void fuzz_sentences(std::string_view bytes) {
  SentenceOptions options{.format = static_cast<SentenceFormat>(take_choice(bytes, 6))};
  options.labelled = take_choice(bytes, 2) == 0;
  options.spans = take_choice(bytes, 2) == 1;
  options.skip_bad = take_choice(bytes, 2) == 1;
  const std::string whole = sentences_as_text(bytes, std::string::npos, options, 1 << 18);
  if (options.format != SentenceFormat::guess) {
    require_same(sentences_as_text(bytes, 7, options, 16), whole);
  }
}

void fuzz_template(std::string_view bytes) { extract(bytes, "new york\nparis\n"); }

void fuzz_gazetteer(std::string_view bytes) { extract("gaz gaz.cities[-1..1]\n", bytes); }

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

}  // namespace megadapt::fuzz
