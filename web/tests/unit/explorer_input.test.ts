import assert from "node:assert/strict";
import { test } from "node:test";
import { readRows } from "../../src/explorer_input.ts";

test("each line that is not empty is a row", () => {
  assert.deepEqual(readRows("a b\n\n  c \n", "features", ""), [{ features: ["a", "b"] }, { features: ["c"] }]);
  assert.deepEqual(readRows("Two words", "text", "phones"), [{ text: "Two words", domain: "phones" }]);
});

test("a row of a JSON Lines file is taken without what prediction does not know", () => {
  assert.deepEqual(readRows('{"label": "good", "features": {"a": 0.5}, "domain": "books"}', "json", "phones"),
    [{ features: { a: 0.5 }, domain: "books" }]);
});

test("bad JSON is told with its line", () => {
  assert.throws(() => readRows('{"features": ["a"]}\n{oops', "json", ""), /line 2 is not JSON/);
});
