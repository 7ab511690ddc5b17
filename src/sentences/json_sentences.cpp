// JSON Lines with `tokens`: objects are marked spans with a label, or tagged sentences.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.hpp"
#include "sentences/readers.hpp"

namespace megadapt::sentences {
namespace {

using nlohmann::json;

constexpr const char* kSpanForm =
    R"(write {"tokens": [...], "start": 0, "end": 1, "label": "..."})";

class JsonSentences final : public LineSentences {
 public:
  JsonSentences(corpus::LineReader lines, const SentenceOptions& options)
      : LineSentences(std::move(lines), SentenceFormat::jsonl, options) {
    if (options_.columns.empty()) {
      options_.columns = ColumnChoice::parse("token,pos,tag");
    }
    names_ = options_.columns.extra_names();
  }

 private:
  bool read(Sentence& sentence) override {
    for (std::string_view line; next_line(sentence, line);) {
      if (is_blank(line)) continue;
      strings_.clear();
      ends_.clear();
      const json object = parsed(line);
      if (!object.is_object()) fail("not a JSON object", kSpanForm);
      begin_tokens(sentence);
      take(object, sentence);
      sentence.line_ends.push_back(slice(sentence, line).begin + line.rfind('}'));
      sentence.line_is_token.push_back(true);
      return true;
    }
    return false;
  }

  json parsed(std::string_view line) const {
    try {
      return parse_json(line);
    } catch (const json::exception&) {
      fail("not valid JSON", "write one JSON object per line");
    }
  }

  void skip_rest(Sentence&) override {}

  void take(const json& object, Sentence& sentence) {
    take_document(object, sentence);
    const std::size_t num_tokens = keep_list(object, "tokens", 0);
    std::vector<bool> present;
    for (const std::string& name : names_) {
      present.push_back(object.contains(name) && !object[name].is_null());
      if (present.back()) keep_list(object, name.c_str(), num_tokens);
    }
    std::size_t num_tags = 0;
    if (options_.spans) {
      take_span(object, num_tokens, sentence);
      num_tags = keep_text(object, "label", options_.labelled);
    } else if (options_.labelled || object.contains("tags")) {
      num_tags = keep_list(object, "tags", num_tokens);
    }
    const std::size_t has_id = keep_text(object, "id", false);

    sentence.decoded.assign(strings_.begin(), strings_.end());
    at_ = 0;
    hand_out(sentence, num_tokens, sentence.tokens);
    sentence.forms = sentence.tokens;
    sentence.columns.resize(names_.size());
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (present[c]) hand_out(sentence, num_tokens, sentence.columns[c]);
      for (std::string_view& value : sentence.columns[c]) {
        if (value == "_") value = {};
      }
      sentence.columns[c].resize(num_tokens);
    }
    hand_out(sentence, num_tags, sentence.tags);
    std::vector<std::string_view> id;
    hand_out(sentence, has_id, id);
    if (has_id) sentence.id = id[0];
  }

  void take_document(const json& object, Sentence& sentence) {
    for (const char* name : {"group", "doc"}) {
      if (!object.contains(name) || object[name].is_null()) continue;
      const json& value = object[name];
      if (!value.is_string() && !value.is_number()) {
        fail(fmt::format("\"{}\" is neither a string nor a number", name),
             "write the name of the document as a string");
      }
      sentence.document = value.is_string() ? value.get<std::string>() : value.dump();
      return;
    }
  }

  // Keeps the strings of a list and returns their number: `size`, or any if `size` is 0.
  std::size_t keep_list(const json& object, const char* name, std::size_t size) {
    if (!object.contains(name) || !object[name].is_array()) {
      fail(fmt::format("no list \"{}\"", name), kSpanForm);
    }
    const json& list = object[name];
    if (size == 0 && list.empty()) {
      fail(fmt::format("\"{}\" is empty", name), "leave out sentences without words");
    }
    if (size != 0 && list.size() != size) {
      fail(fmt::format("\"{}\" has {} entries for {} tokens", name, list.size(), size),
           "give one entry per token; write \"_\" for one that is not known");
    }
    if (list.size() > kMostTokens) {
      fail(fmt::format("a sentence of more than {} tokens", kMostTokens),
           "split the sentence");
    }
    for (const json& item : list) {
      if (!item.is_string() || item.get_ref<const std::string&>().empty()) {
        fail(fmt::format("\"{}\" holds something that is not a string of at least one "
                         "character",
                         name),
             "write a list of strings");
      }
      keep(item.get_ref<const std::string&>());
    }
    return list.size();
  }

  std::size_t keep_text(const json& object, const char* name, bool needed) {
    if (!object.contains(name) || object[name].is_null()) {
      if (needed) fail(fmt::format("no \"{}\"", name), kSpanForm);
      return 0;
    }
    const json& value = object[name];
    if (!value.is_string() && !value.is_number()) {
      fail(fmt::format("\"{}\" is neither a string nor a number", name), kSpanForm);
    }
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (needed && text.empty()) fail(fmt::format("\"{}\" is empty", name), kSpanForm);
    keep(text);
    return 1;
  }

  void take_span(const json& object, std::size_t num_tokens, Sentence& sentence) {
    std::size_t ends[2];
    for (const int i : {0, 1}) {
      const char* name = i == 0 ? "start" : "end";
      if (!object.contains(name) || !object[name].is_number_integer()) {
        fail(fmt::format("\"{}\" is missing or not a whole number", name), kSpanForm);
      }
      const auto value = object[name].get<std::int64_t>();
      if (value < 0 || static_cast<std::uint64_t>(value) >= num_tokens) {
        fail(fmt::format("\"{}\" is {}, outside the sentence of {} tokens", name, value,
                         num_tokens),
             "count tokens from 0; \"end\" is the last token of the span, not the one "
             "after it");
      }
      ends[i] = static_cast<std::size_t>(value);
    }
    if (ends[1] < ends[0]) {
      fail(fmt::format("the span ends at {} before it starts at {}", ends[1], ends[0]),
           "write \"start\" and \"end\" as the first and the last token of the span");
    }
    sentence.is_span = true;
    sentence.span_begin = ends[0];
    sentence.span_end = ends[1] + 1;
  }

  void keep(std::string_view text) {
    strings_ += text;
    ends_.push_back(strings_.size());
  }

  // Appends views of the next `count` kept strings to `to`.
  void hand_out(const Sentence& sentence, std::size_t count,
                std::vector<std::string_view>& to) {
    for (std::size_t i = 0; i < count; ++i, ++at_) {
      const std::size_t begin = at_ == 0 ? 0 : ends_[at_ - 1];
      to.emplace_back(sentence.decoded.data() + begin, ends_[at_] - begin);
    }
  }

  std::vector<std::string> names_;
  std::string strings_;
  std::vector<std::size_t> ends_;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<SentenceReader> read_json(corpus::LineReader lines,
                                          const SentenceOptions& options) {
  return std::make_unique<JsonSentences>(std::move(lines), options);
}

}  // namespace megadapt::sentences
