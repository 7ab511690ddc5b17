// The report: panels in the order of readers' questions, without those that have no data.
import { h, replace, type Child } from "./dom.ts";
import { themeToggle } from "./theme.ts";
import { confusionPanel } from "./panels/confusion.ts";
import { convergencePanel } from "./panels/convergence.ts";
import { curvesPanel } from "./panels/curves.ts";
import { dataPanel } from "./panels/data.ts";
import { examplesPanel } from "./panels/examples.ts";
import { gatePanel } from "./panels/gate.ts";
import { provenancePanel } from "./panels/provenance.ts";
import { relatednessPanel } from "./panels/relatedness.ts";
import { reliabilityPanel } from "./panels/reliability.ts";
import { systemsPanel } from "./panels/systems.ts";
import { tuningPanel } from "./panels/tuning.ts";
import { verdictPanel } from "./panels/verdict.ts";
import type { Relatedness, Result } from "./result.ts";

export function header(title: string, ...more: Child[]): HTMLElement {
  return h("header", { class: "top" },
    h("span", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), title),
    h("span", { class: "actions" }, ...more, themeToggle()));
}

function section(id: string, title: string, children: Child[]): HTMLElement {
  return h("section", { id, class: "card", "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

/// Wraps the output of `relate --json`, which is only a part of other results, into a whole
/// result.
function wholeResult(read: Result | Relatedness): Result {
  return "kl" in read ? { verdict: "How related the domains are", relatedness: read } : (read as Result);
}

export function showReport(page: Element, read: Result | Relatedness): void {
  const result = wholeResult(read);
  const browser = examplesPanel(result);
  const panels: [string, string, Child[] | undefined][] = [
    ["systems", "Systems", systemsPanel(result)],
    ["curves", "Learning curves", curvesPanel(result)],
    ["examples", "Test rows", browser?.children],
    ["gate", "General or specific rows", gatePanel(result, (row) => browser?.open(row))],
    ["convergence", "How training went", convergencePanel(result)],
    ["reliability", "How sure the systems are", reliabilityPanel(result)],
    ["confusion", "Which labels are confused", confusionPanel(result)],
    ["relatedness", "How related the domains are", relatednessPanel(result)],
    ["tuning", "Settings that were tried", tuningPanel(result)],
    ["data", "Data", dataPanel(result)],
    ["provenance", "Where this comes from", provenancePanel(result)],
  ];
  const shown = panels.filter(([, , children]) => children !== undefined);
  document.title = result.title ? `${result.title} – megadapt report` : "megadapt report";
  replace(page,
    h("a", { class: "skip", href: "#content" }, "Skip to the report"),
    header("megadapt report", h("button", { type: "button", class: "quiet", click: () => print() }, "Print")),
    h("div", { class: "layout" },
      h("nav", { "aria-label": "Contents" }, ...shown.map(([id, title]) => h("a", { href: `#${id}` }, title))),
      h("main", { id: "content" }, verdictPanel(result), ...shown.map(([id, title, children]) => section(id, title, children!)))));
}
