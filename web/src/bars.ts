// Horizontal bars of named numbers, from a zero line in the middle where some are negative: a
// table, so that it reads aloud, copies and prints.
import { h, type Child } from "./dom.ts";

export interface Bar {
  name: Child;
  value: number;
  text: string;
  class?: string;
  title?: string;
}

export function bars(all: Bar[], largest = Math.max(1e-12, ...all.map((bar) => Math.abs(bar.value)))): HTMLElement {
  const twoSided = all.some((bar) => bar.value < 0);
  return h("table", { class: twoSided ? "bars two-sided" : "bars" }, h("tbody", {}, ...all.map((bar) => {
    const size = `${(100 * Math.min(1, Math.abs(bar.value) / largest)).toFixed(2)}%`;
    return h("tr", { class: bar.class, title: bar.title },
      h("th", { scope: "row" }, h("span", { class: "clip" }, bar.name)),
      h("td", { class: "track", "aria-hidden": "true" }, h("div", { class: bar.value < 0 ? "bar minus" : "bar plus", css: { "--size": size } })),
      h("td", { class: "number" }, bar.text));
  })));
}
