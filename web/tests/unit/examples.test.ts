import assert from "node:assert/strict";
import { test } from "node:test";
import { SearchIndex, exampleText, select, type Filter } from "../../src/examples_data.ts";
import type { Examples } from "../../src/result.ts";

const examples: Examples = {
  of: 4, labels: ["bad", "good"], features: ["Dull", "story", "battery", ""],
  gold: [0, 1, 1, 0], active: [[0, 1], [1], [2, 3], []], values: [null, [0.5], null, null], group: ["a", null, null, null],
  general: [0.05, 0.5, 0.95, 0.9],
  predicted: { mix: { label: [0, 0, 1, 0], probability: [0.9, 0.6, 0.7, 0.8] }, onlyi: { label: [0, 1, 1, 1], probability: [0.5, 0.5, 0.5, 0.5] } },
};

function rows(filter: Partial<Filter>): number[] {
  return select(examples, new SearchIndex(examples), {
    words: "", system: "mix", outcome: "all", gold: "", predicted: "", gate: "all", order: "row", ...filter });
}

test("the text of a row names its features, with values other than 1", () => {
  assert.equal(exampleText(examples, 0), "Dull story");
  assert.equal(exampleText(examples, 1), "story=0.5");
  assert.equal(exampleText(examples, 2), "battery (bias)");
  assert.equal(exampleText(examples, 3), "(no features)");
});

test("search needs every word, ignores case and finds groups", () => {
  assert.deepEqual(rows({ words: "STORY" }), [0, 1]);
  assert.deepEqual(rows({ words: "story dull" }), [0]);
  assert.deepEqual(rows({ words: "nothing" }), []);
});

test("filters", () => {
  assert.deepEqual(rows({ outcome: "wrong" }), [1]);
  assert.deepEqual(rows({ outcome: "right" }), [0, 2, 3]);
  assert.deepEqual(rows({ outcome: "wrong", system: "onlyi" }), [3]);
  assert.deepEqual(rows({ outcome: "disagree" }), [1, 3]);
  assert.deepEqual(rows({ gold: "good" }), [1, 2]);
  assert.deepEqual(rows({ predicted: "bad" }), [0, 1, 3]);
  assert.deepEqual(rows({ gate: "specific" }), [0]);
  assert.deepEqual(rows({ gate: "between" }), [1, 3]);
  assert.deepEqual(rows({ gate: "general" }), [2]);
});

test("orders", () => {
  assert.deepEqual(rows({ order: "unsure" }), [1, 2, 3, 0]);
  assert.deepEqual(rows({ order: "sure" }), [0, 3, 2, 1]);
  assert.deepEqual(rows({ order: "general" }), [2, 3, 1, 0]);
  assert.deepEqual(rows({ order: "specific" }), [0, 1, 3, 2]);
});
