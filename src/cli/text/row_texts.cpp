#include "cli/text/row_texts.hpp"

#include "decoding/token_context.hpp"

namespace megadapt::cli {
namespace {

void add_texts(const std::string& path, const TaskOptions& task, bool skip_bad, bool shown,
               std::vector<std::string>& texts) {
  SentenceOptions reading = megadapt::reading_for(task, true);
  reading.skip_bad = skip_bad;
  const auto reader = open_sentences(path, reading);
  for (Sentence sentence; reader->next(sentence);) {
    const std::size_t rows = sentence.is_span ? 1 : sentence.size();
    for (std::size_t t = 0; t < rows; ++t) {
      texts.push_back(shown ? token_context(sentence, t).text() : "");
    }
  }
}

}  // namespace

std::vector<std::string> row_texts(const InputOptions& options, const std::string& test) {
  if (options.task.task.empty() || test == "-") return {};
  std::vector<std::string> texts;
  if (!test.empty()) {
    add_texts(test, options.read_task, options.task.skip_bad, true, texts);
    return texts;
  }
  const TaskOptions task = task_options(options.task, options.format);
  for (const std::string& text : options.domains) {
    const auto [domain, file] = parse_domain(text);
    if (file == "-") return {};
    const bool shown = options.target.empty() || domain == options.target;
    add_texts(file, task, options.task.skip_bad, shown, texts);
  }
  return texts;
}

}  // namespace megadapt::cli
