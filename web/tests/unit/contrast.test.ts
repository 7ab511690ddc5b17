// Contrast with the background: WCAG 2 requires 4.5 : 1 for text and 3 : 1 for chart marks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync("web/src/style.css", "utf8");

function colours(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(selector)).split("}")[0];
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const texts = ["ink on surface", "ink on background", "ink on accent-soft", "muted on surface", "muted on raised", "muted on background",
  "muted on accent-soft", "accent on surface", "surface on accent", "right on right-soft", "wrong on wrong-soft", "wrong on surface", "surface on ink"];
const marks = ["plus", "minus", "right", "wrong", ...Array.from({ length: 11 }, (_, at) => `s${at}`)].map((name) => `${name} on surface`);

for (const [theme, selector] of [["light", ":root {"], ["dark", ':root[data-theme="dark"] {']]) {
  const colour = colours(selector);
  for (const [pairs, least] of [[texts, 4.5], [marks, 3]] as [string[], number][]) {
    for (const pair of pairs) {
      test(`${pair}, ${theme}`, () => {
        const [a, b] = pair.split(" on ").map((name) => colour[name]);
        assert.ok(contrast(a, b) >= least, `${contrast(a, b).toFixed(2)} : 1 is less than ${least} : 1`);
      });
    }
  }
}
