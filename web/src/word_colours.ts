// Colours the words of a text by what they add to the prediction.
import { h, type Child } from "./dom.ts";
import { readTerm } from "./explanation.ts";
import { signed } from "./format.ts";
import { tip } from "./tooltip.ts";
import type { Component, Explanation } from "./result.ts";

export interface Piece {
  text: string;
  weight: number;  ///< 0: no listed feature
}

/// Returns what each listed feature adds to the log-odds. In a mixture, the contributions
/// of its experts count by their weights.
export function featureWeights(explanation: Explanation, features: string[]): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (component: Component, share: number) => {
    const parts = component.components ?? [];
    for (const part of parts) add(part, share * part.weight);
    if (parts.length > 0) return;
    for (const term of component.contributions ?? []) {
      const { feature, contribution } = readTerm(term, features);
      weights.set(feature, (weights.get(feature) ?? 0) + share * contribution);
    }
  };
  add(explanation.model, 1);
  return weights;
}

const letter = "[\\p{L}\\p{N}]";

// Matches a feature in the text: a word, or words joined by `_` with anything but letters
// between them. A feature in lower case matches any case.
function pattern(feature: string): RegExp {
  const escaped = feature.split("_").filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const flags = feature === feature.toLowerCase() ? "giu" : "gu";
  return new RegExp(`(?<!${letter})${escaped.join("[^\\p{L}\\p{N}]+")}(?![\\p{L}\\p{N}+#])`, flags);
}

/// Cuts the text where the weight changes. A feature that occurs twice colours both places.
export function colourPieces(text: string, weights: Map<string, number>): Piece[] {
  const at = new Float64Array(text.length);
  for (const [feature, weight] of weights) {
    if (feature.replace(/_/g, "") === "" || feature === "(bias)") continue;
    for (const match of text.matchAll(pattern(feature))) {
      for (let i = match.index!; i < match.index! + match[0].length; ++i) at[i] += weight;
    }
  }
  const pieces: Piece[] = [];
  for (let begin = 0, end = 0; begin < text.length; begin = end) {
    while (end < text.length && at[end] === at[begin]) ++end;
    pieces.push({ text: text.slice(begin, end), weight: at[begin] });
  }
  return pieces;
}

/// The text of a row; `undefined` if none of its words is a listed feature.
export function colouredText(text: string, explanation: Explanation, features: string[]): Child[] | undefined {
  const pieces = colourPieces(text, featureWeights(explanation, features));
  const largest = Math.max(...pieces.map((piece) => Math.abs(piece.weight)));
  if (!(largest > 0)) return undefined;
  return pieces.map(({ text: words, weight }) => {
    if (weight === 0) return words;
    const share = Math.round(10 + 45 * Math.abs(weight) / largest);
    return tip(h("mark", { class: weight > 0 ? "word plus" : "word minus", css: { "--share": String(share) } }, words),
      `${signed(weight, 3)} for ${weight > 0 ? explanation.label : explanation.against ?? "another label"}`);
  });
}
