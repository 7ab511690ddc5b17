import assert from "node:assert/strict";
import { test } from "node:test";
import { colourPieces, featureWeights } from "../../src/word_colours.ts";
import type { Explanation } from "../../src/result.ts";

function marked(text: string, weights: Record<string, number>): [string, number][] {
  const pieces = colourPieces(text, new Map(Object.entries(weights)));
  assert.equal(pieces.map((piece) => piece.text).join(""), text);
  return pieces.filter((piece) => piece.weight !== 0).map(({ text: words, weight }) => [words, weight]);
}

test("a word is found in any case, but not inside another word", () => {
  assert.deepEqual(marked("Not good. GOODNESS!", { good: 1 }), [["good", 1]]);
  assert.deepEqual(marked("Good, not good", { good: -0.5 }), [["Good", -0.5], ["good", -0.5]]);
});

test("words joined by _ are found side by side, and add up with their parts", () => {
  assert.deepEqual(marked("a not -- good day", { not_good: -1 }), [["not -- good", -1]]);
  assert.deepEqual(marked("not good", { not_good: -1, good: 0.5 }), [["not ", -1], ["good", -0.5]]);
});

test("signs in a feature are signs, and C is not C++", () => {
  assert.deepEqual(marked("C++ and C", { c: 1, "c++": 2 }), [["C++", 2], ["C", 1]]);
  assert.deepEqual(marked("what (now)?", { "(now)": 1, "(bias)": 3 }), [["(now)", 1]]);
});

test("experts of a mixture count by their weights", () => {
  const leaf = (weight: number, contribution: number) => ({ name: "", kind: "maxent", weight, probabilities: [], log_odds: 0, contributions: [[0, contribution] as [number, number]] });
  const explanation = { label: "a", probability: 1, probabilities: [], model: { ...leaf(1, 0), contributions: undefined, components: [leaf(0.25, 4), leaf(0.75, -2)] } } as Explanation;
  assert.deepEqual([...featureWeights(explanation, ["word"])], [["word", -0.5]]);
});
