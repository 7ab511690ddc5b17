// The data card: the data that the systems were trained and tested on.
import { h, type Child } from "../dom.ts";
import { count, percent } from "../format.ts";
import { tip } from "../tooltip.ts";
import { plainTable } from "../chart.ts";
import type { DomainCard, Result } from "../result.ts";

function shares(labels: Record<string, number>, order: string[]): Child {
  const total = Object.values(labels).reduce((a, b) => a + b, 0) || 1;
  const text = order.map((name) => `${name} ${percent((labels[name] ?? 0) / total)}`).join(", ");
  return h("div", { class: "shares", role: "img", "aria-label": text }, ...order.map((name, place) =>
    tip(h("div", { css: { width: percent((labels[name] ?? 0) / total, 3), background: `var(--s${place % 11})` } }),
      `${name}: ${count(labels[name] ?? 0)} rows, ${percent((labels[name] ?? 0) / total)}`)));
}

function row(card: DomainCard, target: string | undefined, order: string[]): Child[] {
  return [
    h("span", {}, h("strong", {}, card.name), card.part && ` ${card.part}`, card.name === target && card.part !== "test" && h("span", { class: "mark none tag" }, "target")),
    count(card.examples),
    shares(card.labels, order),
    card.features_per_example === undefined ? "–" : card.features_per_example.toFixed(1),
    card.groups ? count(card.groups) : "–",
    card.duplicates === undefined ? "–" : count(card.duplicates),
  ];
}

export function dataPanel(result: Result): Child[] | undefined {
  const data = result.data;
  if (!data || data.domains.length === 0) return undefined;
  const order = [...new Set(data.domains.flatMap((card) => Object.keys(card.labels)))];
  const files = data.domains.flatMap((card) => card.files ?? []);
  return [
    plainTable(["domain", "rows", "labels", "features a row", "groups", "duplicates"], data.domains.map((card) => row(card, data.target, order)), "Data", [3, 4, 5]),
    h("div", { class: "legend" }, ...order.slice(0, 30).map((name, place) =>
      h("span", { class: "entry" }, h("span", { class: "swatch", css: { background: `var(--s${place % 11})` } }), name))),
    data.features !== undefined && h("p", { class: "note" }, `${count(data.features)} different features in training. A duplicate has the same features and label as an earlier row of its domain; a test row, as a training row.`),
    ...(data.notes ?? []).map((note) => h("p", { class: "note" }, note)),
    files.length > 0 && h("details", {}, h("summary", {}, "Files"),
      plainTable(["file", "rows", "SHA-256"], files.map((file) => [h("code", {}, file.file), count(file.rows), h("code", { class: "hash" }, file.sha256 ?? "")]))),
  ];
}
