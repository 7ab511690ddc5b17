// Explains one prediction. The contributions add up to the log-odds shown below them;
// features that are left out for brevity share one line.
import { h, type Child } from "./dom.ts";
import { bars, type Bar } from "./bars.ts";
import { counted, percent, probability, signed } from "./format.ts";
import type { Component, Explanation, Probabilities, Term, Terms } from "./result.ts";

const labelsShown = 10;

interface Contribution { feature: string; value: number; contribution: number }

export function readTerm(term: Term, features: string[]): Contribution {
  if (!Array.isArray(term)) return { feature: term.feature, value: term.value ?? 1, contribution: term.contribution };
  const [id, contribution, value = 1] = term;
  return { feature: features[id] || "(bias)", value, contribution };
}

function sumTable(terms: Terms, features: string[], intercept: number | undefined, total: number): Child {
  const all = (terms.contributions ?? []).map((term) => readTerm(term, features));
  const rows: Bar[] = all.map(({ feature, value, contribution }) => ({
    name: value === 1 ? feature : `${feature} = ${Number(value.toPrecision(4))}`, value: contribution, text: signed(contribution, 3),
  }));
  if (intercept !== undefined) rows.unshift({ name: "(without any feature)", value: intercept, text: signed(intercept, 3), class: "aside" });
  if (terms.omitted) {
    const { features: n, contribution } = terms.omitted;
    rows.push({ name: `(${counted(n, "other")})`, value: contribution, text: signed(contribution, 3), class: "aside" });
  }
  const largest = Math.max(1e-12, ...rows.map((row) => Math.abs(row.value)));
  return h("div", { class: "sum" }, bars(rows, largest),
    h("p", { class: "total" }, h("span", {}, "sum (log-odds)"), h("span", { class: "number" }, signed(total, 3))));
}

function byLabel(probabilities: Probabilities, labels: string[]): [string, number][] {
  return Array.isArray(probabilities) ? probabilities.map((p, place) => [labels[place], p]) : Object.entries(probabilities);
}

export function probabilityBars(probabilities: [string, number][], label: string, gold?: string): HTMLElement {
  const order = [...probabilities].sort((a, b) => b[1] - a[1]);
  const rest = order.splice(order.length > labelsShown + 1 ? labelsShown : order.length);
  const rows: Bar[] = order.map(([name, p]) => ({
    name, value: p, text: probability(p),
    class: [name === label ? "chosen" : "", gold !== undefined && name === gold ? "gold" : ""].join(" ").trim() || undefined,
  }));
  if (rest.length > 0) {
    const sum = rest.reduce((before, [, p]) => before + p, 0);
    rows.push({ name: `(${counted(rest.length, "other label")})`, value: sum, text: probability(sum), class: "aside" });
  }
  return bars(rows, 1);
}

function gateView(gate: NonNullable<Component["gate"]>, features: string[], domain: string): Child {
  return h("details", { class: "part", open: true },
    h("summary", {}, h("strong", {}, "Gate"), ` ${probability(gate.general)} general, ${probability(1 - gate.general)} ${domain}`),
    h("div", { class: "gauge", role: "img", "aria-label": `${percent(gate.general)} general` },
      h("div", { class: "general", css: { width: percent(gate.general, 2) } })),
    ...((gate.contributions ?? []).length > 0 ? [
      h("p", { class: "note" }, `What each feature adds to the log-odds of general (right) against ${domain} (left).`),
      sumTable(gate, features, gate.intercept, gate.log_odds)] : [h("p", { class: "note" }, "The same for every row.")]));
}

function best(probabilities: Probabilities, labels: string[]): [string, number] {
  return byLabel(probabilities, labels).reduce((a, b) => (b[1] > a[1] ? b : a));
}

/// What the ids in an explanation stand for; empty if the explanation itself has names.
export interface Names {
  features: string[];
  labels: string[];
}

function saysBest(component: Component, names: Names): string {
  const [label, p] = best(component.probabilities, names.labels);
  return ` ${label} ${probability(p)}`;
}

function componentView(component: Component, label: string, against: string, names: Names): Child[] {
  const parts = component.components ?? [];
  if (parts.length > 0) {
    const specific = parts.length > 1 ? parts[1].name : "specific";
    return [
      component.gate && gateView(component.gate, names.features, specific),
      ...parts.map((part) => h("details", { class: "part", open: part.weight >= 0.05 && parts.length <= 3 },
        h("summary", {}, h("strong", {}, part.name), saysBest(part, names),
          h("span", { class: "weight" }, `weight ${probability(part.weight)}`)),
        ...componentView(part, label, against, names))),
    ];
  }
  return [
    h("p", { class: "note" }, `What each feature adds to the log-odds of ${label} (right) against ${against} (left).`),
    sumTable(component, names.features, undefined, component.log_odds),
    ...(component.sources ?? []).map((source) => h("details", { class: "part" },
      h("summary", {}, h("strong", {}, `source ${source.name}`), saysBest(source, names)),
      ...componentView(source, label, against, names))),
  ];
}

export function explanationView(explanation: Explanation, names: Names = { features: [], labels: [] }, gold?: string): HTMLElement {
  const { label, against = "the other", model } = explanation;
  return h("div", { class: "explanation" },
    h("h4", {}, "Probabilities"), probabilityBars(byLabel(explanation.probabilities, names.labels), label, gold),
    h("h4", {}, "Why"),
    explanation.previous !== undefined && h("p", { class: "note" }, "Given that the tag before is ", h("strong", {}, explanation.previous === "<s>" ? "none, at the start of the sentence" : explanation.previous), "."),
    ...componentView(model, label, against, names),
    explanation.unseen && explanation.unseen.length > 0 &&
      h("p", { class: "note" }, `Not in the model, so without effect: ${explanation.unseen.join(", ")}`));
}
