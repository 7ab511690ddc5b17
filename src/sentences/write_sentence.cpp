#include <nlohmann/json.hpp>

#include "megadapt/corpus.hpp"

namespace megadapt {
namespace {

// The separator in the line that ends at `line_end`: a space if it has spaces and no tab.
char separator_at(std::string_view raw, std::size_t line_end) {
  for (std::size_t i = line_end; i > 0 && raw[i - 1] != '\n'; --i) {
    if (raw[i - 1] == '\t') return '\t';
  }
  for (std::size_t i = line_end; i > 0 && raw[i - 1] != '\n'; --i) {
    if (raw[i - 1] == ' ') return ' ';
  }
  return '\t';
}

std::string json_tags(const Sentence& sentence, const std::vector<std::string_view>& tags) {
  if (sentence.is_span) return nlohmann::json(tags.front()).dump();
  return nlohmann::json(tags).dump();
}

}  // namespace

void append_tagged(const Sentence& sentence, SentenceFormat format,
                   const std::vector<std::string_view>& tags, std::string& out) {
  if (tags.empty()) {
    out += sentence.raw;
    return;
  }
  std::size_t done = 0;
  std::size_t token = 0;
  for (std::size_t i = 0; i < sentence.line_ends.size(); ++i) {
    const std::size_t end = sentence.line_ends[i];
    out += sentence.raw.substr(done, end - done);
    done = end;
    if (format == SentenceFormat::jsonl) {
      out += ",\"predicted\":" + json_tags(sentence, tags);
      continue;
    }
    const bool text = format == SentenceFormat::text || format == SentenceFormat::prose;
    out += text ? '_' : separator_at(sentence.raw, end);
    out += sentence.line_is_token[i] ? tags[token++] : "_";
  }
  out += sentence.raw.substr(done);
}

std::vector<std::string> spaces_of(const Sentence& sentence) {
  std::vector<std::string> spaces;
  std::size_t done = 0;
  for (const std::string_view form : sentence.forms) {
    const auto begin = static_cast<std::size_t>(form.data() - sentence.raw.data());
    spaces.emplace_back(sentence.raw.substr(done, begin - done));
    done = begin + form.size();
  }
  spaces.emplace_back(sentence.raw.substr(done));
  return spaces;
}

void append_replaced(const Sentence& sentence, const std::vector<std::string>& tokens,
                     std::string& out) {
  std::size_t done = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto begin =
        static_cast<std::size_t>(sentence.forms[i].data() - sentence.raw.data());
    out += sentence.raw.substr(done, begin - done);
    out += tokens[i];
    done = begin + sentence.forms[i].size();
  }
  out += sentence.raw.substr(done);
}

}  // namespace megadapt
