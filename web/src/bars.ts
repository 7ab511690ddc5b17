// Horizontal bars for named numbers; if some are negative, zero is in the middle. It is a
// table, so that screen readers, copying and printing work.
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
