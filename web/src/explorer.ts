// The live explorer of `megadapt serve`: type rows, see the predictions and the reasons.
import { choice, h, replace, type Child } from "./dom.ts";
import { explanationView } from "./explanation.ts";
import { readRows, type Reading, type RequestRow } from "./explorer_input.ts";
import { count, percent, probability } from "./format.ts";
import { header } from "./report.ts";
import type { Explanation } from "./result.ts";

const pause = 250;  // ms between the last key and the request
const termsShown = 20;

interface ModelInfo {
  system: string;
  task: string;
  input: string | null;
  target: string;
  domains: Record<string, { examples: number; general_share: number | null }>;
  labels: string[];
  features: number;
  created_by: string;
}

interface Choices { reading: Reading; domain: string; label: string; against: string }

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, body === undefined ? {} :
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) {
    const { problem, fix } = answer.error ?? {};
    throw new Error([problem ?? `the server answered ${response.status}`, fix].filter(Boolean).join("; "));
  }
  return answer;
}

function modelCard(model: ModelInfo): HTMLElement {
  const fact = (name: string, value: Child) => [h("dt", {}, name), h("dd", {}, value)];
  return h("section", { class: "card", "aria-label": "Model" }, h("h2", {}, "Model"),
    h("dl", { class: "facts" },
      ...fact("system", model.system),
      ...(model.task ? fact("task", model.task) : []),
      ...fact("predicts for", model.target),
      ...fact("labels", model.labels.join(", ")),
      ...fact("features", count(model.features)),
      ...Object.entries(model.domains).flatMap(([name, domain]) => fact(`domain ${name}`,
        `${count(domain.examples)} examples${domain.general_share === null ? "" : `, ${percent(domain.general_share)} general`}`)),
      ...fact("made by", model.created_by)));
}

function rowText(row: RequestRow): string {
  if (row.text !== undefined) return row.text;
  if (row.tokens) return row.tokens.join(" ");
  const features = row.features ?? [];
  return Array.isArray(features) ? features.join(" ") : Object.entries(features).map(([name, value]) => `${name}=${value}`).join(" ");
}

/// For a tagger, a row is a sentence with an explanation for every token.
type Answer = Explanation | { tokens: (Explanation & { token: string })[] };

function said(explanation: Explanation): HTMLElement {
  return h("span", { class: "said" }, h("strong", {}, explanation.label), ` ${probability(explanation.probability)}`,
    explanation.general !== undefined && ` · general ${probability(explanation.general)}`);
}

function answers(rows: RequestRow[], all: Answer[]): HTMLElement {
  const pane = h("div", { class: "pane", "aria-live": "polite" });
  const buttons: HTMLButtonElement[] = [];
  const button = (name: string, text: string, explanation: Explanation, ...more: Child[]) => {
    const made = h("button", { type: "button", class: name, title: `P = ${probability(explanation.probability)}`, click: () => {
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === made));
      replace(pane, explanationView(explanation));
    } }, h("span", { class: "clip" }, text), ...more);
    buttons.push(made);
    return made;
  };
  const list = all.map((answer, place) => "tokens" in answer
    ? h("div", { class: "sentence-tags" }, ...answer.tokens.map((token) => button("token", token.token, token, h("strong", {}, token.label))))
    : button("answer", rowText(rows[place]), answer, said(answer)));
  buttons[0]?.click();
  return h("div", { class: "browser answers" }, h("div", { class: "answer-list" }, ...list), pane);
}

function placeholder(model: ModelInfo): string {
  if (model.task === "mention-type") return "One sentence a line, its span in brackets, for example\nwe saw [the mayor] in town";
  return model.task ? "One text a line, for example\nThe dog, they say, sees a cat." : model.input === "text" ? "One text a line, for example\nThe battery lasts for days!" : "One row a line, for example\nlong battery life";
}

/// A model that was trained on feature lines cannot read running text.
function takesText(model: ModelInfo): boolean {
  return model.task !== "" || model.input === "text";
}

function explorer(model: ModelInfo): HTMLElement {
  const choices: Choices = { reading: takesText(model) ? "text" : "features", domain: "", label: "", against: "" };
  const output = h("div", { id: "answers" });
  const status = h("p", { class: "note", role: "status" });
  const input = h("textarea", { rows: 5, spellcheck: "false", "aria-label": "Rows, one a line", placeholder: placeholder(model), input: () => later() });
  let timer = 0, asked = 0;

  async function run() {
    const mine = ++asked;  // an answer to an older request is not shown
    try {
      const rows = readRows(input.value, choices.reading, choices.domain);
      if (rows.length === 0) {
        status.textContent = "";
        replace(output);
        return;
      }
      const { label, against } = choices;
      const answer = await ask<{ rows: Answer[] }>("v1/explain",
        { rows, top: termsShown, ...(label && { label }), ...(against && { against }) });
      if (mine !== asked) return;
      status.textContent = "";
      status.classList.remove("warning");
      replace(output, answers(rows, answer.rows));
    } catch (error) {
      if (mine !== asked) return;
      status.textContent = error instanceof Error ? error.message : String(error);
      status.classList.add("warning");
    }
  }
  function later() {
    clearTimeout(timer);
    timer = window.setTimeout(run, pause);
  }
  const set = <K extends keyof Choices>(key: K) => (value: string) => { choices[key] = value as Choices[K]; void run(); };
  const labels = model.labels.map((name): [string, string] => [name, name]);
  return h("section", { class: "card", "aria-label": "Try it" }, h("h2", {}, "Try it"),
    h("div", { class: "controls" },
      choice("Read as", [...(takesText(model) ? [["text", model.task ? "sentences" : "text"] as [string, string]] : []), ["features", "features, separated by spaces"], ["json", "JSON, as in a JSON Lines file"]], choices.reading, set("reading")),
      choice("Domain", [["", `target (${model.target})`], ...Object.keys(model.domains).map((name): [string, string] => [name, name])], "", set("domain")),
      choice("Explain", [["", "the predicted label"], ...labels], "", set("label")),
      choice("Against", [["", "the runner-up"], ...labels], "", set("against"))),
    input, status, output);
}

export function showExplorer(page: Element): void {
  document.title = "megadapt explorer";
  const main = h("main", { id: "content" }, h("p", { class: "note" }, "Asking the server what it serves …"));
  replace(page, header("megadapt explorer", h("a", { class: "quiet", href: "openapi.json" }, "API")), h("div", { class: "layout single" }, main));
  ask<ModelInfo>("v1/model").then(
    (model) => replace(main, explorer(model), modelCard(model)),
    (error) => replace(main, h("p", { class: "warning" }, `The server does not answer: ${error instanceof Error ? error.message : error}`)));
}
