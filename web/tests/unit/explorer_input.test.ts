import assert from "node:assert/strict";
import { test } from "node:test";
import { readRows } from "../../src/explorer_input.ts";

test("each line that is not empty is a row", () => {
  assert.deepEqual(readRows("a b\n\n  c \n", "features", ""), [{ features: ["a", "b"] }, { features: ["c"] }]);
  assert.deepEqual(readRows("Two words", "text", "phones"), [{ text: "Two words", domain: "phones" }]);
});

test("fields that prediction does not know are dropped from a JSON Lines row", () => {
  assert.deepEqual(readRows('{"label": "good", "features": {"a": 0.5}, "domain": "books"}', "json", "phones"),
    [{ features: { a: 0.5 }, domain: "books" }]);
});

test("bad JSON is reported with its line", () => {
  assert.throws(() => readRows('{"features": ["a"]}\n{oops', "json", ""), /line 2 is not JSON/);
});
