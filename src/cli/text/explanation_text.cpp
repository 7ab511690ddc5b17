#include "cli/text/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/messages.hpp"
#include "cli/text/reports.hpp"

namespace megadapt::cli {
namespace {

constexpr std::size_t kContextBytes = 72;
constexpr std::size_t kUnseenShown = 8;

template <class... Args>
void append_to(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

// The name of a label, domain or part of the model, cut where it is too long for a line.
std::string short_name(std::string_view name) { return cut(excerpt(name), kLongestName); }

void append_terms(const LogOdds& sum, const std::string& indent, std::string& out) {
  if (sum.intercept != 0) {
    append_to(out, "{}{:+10.4f}  (the same for every row)\n", indent, sum.intercept);
  }
  for (const Contribution& term : sum.contributions) {
    const std::string value = term.value == 1 ? "" : fmt::format(" = {:.6g}", term.value);
    const std::string line = fmt::format("{}{:+10.4f}  ", indent, term.contribution);
    out += line +
           cut(excerpt(term.feature),
               kTableWidth - std::min(line.size() + value.size(), kTableWidth / 2)) +
           value + "\n";
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
    const std::string inner = indent + "  ";
    out += '\n' + wrapped(fmt::format("{}{}: p({}) = {:.4f}, p({}) = {:.4f}{}", indent,
                                      short_name(part.name), label(),
                                      part.probabilities[shown_.label], against(),
                                      part.probabilities[shown_.against], role),
                          inner.size());
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

  std::string label() const { return short_name(shown_.labels[shown_.label]); }
  std::string against() const { return short_name(shown_.labels[shown_.against]); }

 private:
  const Explanation& shown_;
};

std::string verdict(const Explanation& explanation, std::string_view gold) {
  if (gold.empty()) return "";
  return gold == explanation.labels[explanation.label]
             ? ", which is right"
             : fmt::format(", true label {}", short_name(gold));
}

// A field of the table, without tabs or line ends: each example stays on one line.
std::string table_field(std::string_view text) { return excerpt(text); }

void append_unseen(const std::vector<std::string>& unseen, std::string& out) {
  if (unseen.empty()) return;
  const std::size_t shown = std::min(unseen.size(), kUnseenShown);
  std::string line = "not in the model:";
  for (std::size_t i = 0; i < shown; ++i)
    append_to(line, " {}", cut(excerpt(unseen[i]), kContextBytes));
  if (shown < unseen.size()) append_to(line, " and {} more", unseen.size() - shown);
  out += wrapped(line, 2);
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const ExplainedRow& row) {
  const TextExplanation text(explanation);
  const double p = explanation.probabilities[explanation.label];
  std::string head = fmt::format("row {}", row.number);
  if (!row.id.empty()) append_to(head, " ({})", excerpt(row.id));
  std::string out;
  if (!row.entity.empty()) {
    out = wrapped(fmt::format("{}: {}", head, excerpt(row.context)), 2);
    head = "  as";
  } else {
    head += ',';
  }
  out += wrapped(fmt::format("{} domain {}: {} with probability {:.4f}{}", head,
                             short_name(explanation.domain), text.label(), p,
                             verdict(explanation, row.gold)),
                 4);
  if (explanation.general) {
    append_to(out, "P(general) = {:.4f}\n", *explanation.general);
  }
  append_unseen(explanation.unseen, out);
  const std::string after =
      explanation.previous.empty() ? "" : " after " + short_name(explanation.previous);
  out += wrapped(fmt::format("log-odds of {} against {}{}: {:+.4f}", text.label(),
                             text.against(), after, explanation.model.log_odds.total),
                 2);
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
