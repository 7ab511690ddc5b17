#include "cli/text/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/messages.hpp"

namespace megadapt::cli {
namespace {

constexpr std::size_t kContextBytes = 72;
constexpr std::size_t kUnseenShown = 8;

template <class... Args>
void append_to(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void append_terms(const LogOdds& sum, const std::string& indent, std::string& out) {
  if (sum.intercept != 0) {
    append_to(out, "{}{:+10.4f}  (the same for every row)\n", indent, sum.intercept);
  }
  for (const Contribution& term : sum.contributions) {
    append_to(out, "{}{:+10.4f}  {}", indent, term.contribution, excerpt(term.feature));
    if (term.value != 1) append_to(out, " = {:.6g}", term.value);
    out += '\n';
  }
  if (sum.omitted > 0) {
    append_to(out, "{}{:+10.4f}  {} more\n", indent, sum.omitted_sum, sum.omitted);
  }
  append_to(out, "{}{:+10.4f}  total\n", indent, sum.total);
}

class TextExplanation {
 public:
  explicit TextExplanation(const Explanation& explanation) : shown_(explanation) {}

  void append(const ComponentExplanation& part, const std::string& indent,
              const std::string& role, std::string& out) const {
    append_to(out, "\n{}{}: p({}) = {:.4f}, p({}) = {:.4f}{}\n", indent, excerpt(part.name),
              label(), part.probabilities[shown_.label], against(),
              part.probabilities[shown_.against], role);
    const std::string inner = indent + "  ";
    if (part.components.empty()) {
      append_terms(part.log_odds, inner, out);
    }
    if (part.gate) {
      append_to(out, "{}gate: log-odds of general\n", inner);
      append_terms(*part.gate, inner, out);
    }
    for (const ComponentExplanation& component : part.components) {
      append(component, inner, fmt::format(", weight {:.4f}", component.weight), out);
    }
    for (const ComponentExplanation& source : part.sources) {
      append(source, inner, ", a source of features", out);
    }
  }

  std::string label() const { return excerpt(shown_.labels[shown_.label]); }
  std::string against() const { return excerpt(shown_.labels[shown_.against]); }

 private:
  const Explanation& shown_;
};

std::string verdict(const Explanation& explanation, std::string_view gold) {
  if (gold.empty()) return "";
  return gold == explanation.labels[explanation.label]
             ? ", which is right"
             : fmt::format(", true label {}", excerpt(gold));
}

// A field of the table, without tabs or line ends: each example stays on one line.
std::string table_field(std::string_view text) { return excerpt(text); }

void append_unseen(const std::vector<std::string>& unseen, std::string& out) {
  if (unseen.empty()) return;
  out += "not in the model:";
  const std::size_t shown = std::min(unseen.size(), kUnseenShown);
  for (std::size_t i = 0; i < shown; ++i) append_to(out, " {}", excerpt(unseen[i]));
  if (shown < unseen.size()) append_to(out, " and {} more", unseen.size() - shown);
  out += '\n';
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const ExplainedRow& row) {
  const TextExplanation text(explanation);
  const double p = explanation.probabilities[explanation.label];
  std::string out = fmt::format("row {}", row.number);
  if (!row.id.empty()) append_to(out, " ({})", excerpt(row.id));
  if (!row.entity.empty()) append_to(out, ": {}\n  as", excerpt(row.context));
  append_to(out, "{} domain {}: {} with probability {:.4f}{}\n",
            row.entity.empty() ? "," : "", excerpt(explanation.domain), text.label(), p,
            verdict(explanation, row.gold));
  if (explanation.general) {
    append_to(out, "P(general) = {:.4f}\n", *explanation.general);
  }
  append_unseen(explanation.unseen, out);
  const std::string after =
      explanation.previous.empty() ? "" : " after " + excerpt(explanation.previous);
  append_to(out, "log-odds of {} against {}{}: {:+.4f}\n", text.label(), text.against(),
            after, explanation.model.log_odds.total);
  text.append(explanation.model, "", "", out);
  return out + '\n';
}

std::string example_header(bool entities) {
  return fmt::format("row\tcontext\t{}true\thypothesis\tp\tgeneral\n",
                     entities ? "entity\t" : "");
}

std::string example_line(const Explanation& explanation, const ExplainedRow& row) {
  const std::string general =
      explanation.general ? fmt::format("{:.4f}", *explanation.general) : "-";
  return fmt::format("{}\t{}\t{}{}\t{}\t{:.4f}\t{}\n", row.number, table_field(row.context),
                     row.entity.empty() ? "" : table_field(row.entity) + '\t',
                     row.gold.empty() ? "-" : table_field(row.gold),
                     table_field(explanation.labels[explanation.predicted]),
                     explanation.probabilities[explanation.predicted], general);
}

std::string row_context(const Row& row) {
  std::string out;
  for (const NamedFeature& feature : row.features) {
    if (!out.empty()) out += ' ';
    out += feature.name;
    if (out.size() <= kContextBytes) continue;
    std::size_t end = kContextBytes;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;
    out.resize(end);  // do not split a code point
    return out + "...";
  }
  return out;
}

}  // namespace megadapt::cli
