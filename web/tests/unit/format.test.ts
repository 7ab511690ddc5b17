import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, percent, points, probability, pValue, seconds, signed } from "../../src/format.ts";

test("shares are shown in percent", () => {
  assert.equal(percent(0.7839), "78.4%");
  assert.equal(points(0.0213), "+2.1");
  assert.equal(points(-0.0213), "−2.1");
});

test("a number that rounds to zero has no minus", () => {
  assert.equal(signed(-0.0001, 2), "+0.00");
});

test("probabilities next to 0 and 1 are not called 0% and 100%", () => {
  assert.equal(probability(0.00001), "<0.1%");
  assert.equal(probability(0.99999), ">99.9%");
  assert.equal(probability(1), "100.0%");
  assert.equal(probability(0), "0.0%");
});

test("p-values", () => {
  assert.equal(pValue(0.0002), "p < 0.001");
  assert.equal(pValue(0.0312), "p = 0.031");
  assert.equal(pValue(0.5), "p = 0.50");
});

test("counts and times", () => {
  assert.equal(counted(1, "row"), "1 row");
  assert.equal(counted(12345, "row"), "12,345 rows");
  assert.equal(seconds(0.25), "250 ms");
  assert.equal(seconds(0), "<1 ms");
  assert.equal(seconds(150), "2 min 30 s");
});
