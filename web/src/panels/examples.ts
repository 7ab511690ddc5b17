// The example browser: search, filter, and click a row to see why it got its label.
import { choice, h, replace, type Child } from "../dom.ts";
import { SearchIndex, exampleText, gateVaries, select, type Filter } from "../examples_data.ts";
import { colouredText } from "../word_colours.ts";
import { explanationView } from "../explanation.ts";
import { count, counted, probability } from "../format.ts";
import { VirtualList } from "../virtual_list.ts";
import { systemColour } from "../theme.ts";
import { bars } from "../bars.ts";
import type { Examples, Result } from "../result.ts";

const rowHeight = 52;

export interface Browser {
  children: Child[];
  open: (row: number) => void;
}

function label(examples: Examples, id: number | undefined): string {
  return id === undefined ? "" : examples.labels[id] ?? "";
}

// Shows the predictions of all systems for one row.
function votes(examples: Examples, row: number): HTMLElement {
  return h("details", { class: "part" }, h("summary", {}, h("strong", {}, "What each system says")),
    h("div", { class: "votes" }, bars(Object.entries(examples.predicted).map(([name, of]) => ({
      name: h("span", { class: "system" }, h("span", { class: "swatch", css: { background: systemColour(name) } }), name),
      value: of.probability[row], text: `${label(examples, of.label[row])} ${probability(of.probability[row])}`,
      class: of.label[row] === examples.gold[row] ? "right" : "wrong",
    })), 1)));
}

// The text of the row, its words coloured by what they add to the prediction.
function shownText(examples: Examples, row: number): Child[] {
  const text = exampleText(examples, row), explanation = examples.explanations?.[row];
  const coloured = explanation && examples.text?.[row] ? colouredText(text, explanation, examples.features) : undefined;
  return [
    h("p", { class: "text" }, ...(coloured ?? [text])),
    coloured && h("p", { class: "note" }, h("mark", { class: "word plus", css: { "--share": "40" } }, "for"), ` ${explanation!.label}, `,
      h("mark", { class: "word minus", css: { "--share": "40" } }, "against"), " it; the stronger the colour, the more the word adds."),
  ];
}

function detail(examples: Examples, row: number, system: string): HTMLElement {
  const gold = label(examples, examples.gold[row]);
  const explanation = examples.explanations?.[row];
  const said = explanation?.label ?? label(examples, examples.predicted[system]?.label[row]);
  const name = explanation ? examples.explained ?? system : system;
  return h("article", { class: "detail" },
    h("header", {}, h("h3", {}, `Row ${count((examples.row?.[row] ?? row) + 1)}`, examples.group?.[row] && h("span", { class: "group" }, examples.group[row])),
      h("p", {}, h("span", { class: `mark ${said === gold ? "same" : "worse"}` }, said === gold ? "right" : "wrong"), " ",
        h("strong", {}, name), " says ", h("strong", {}, said), said !== gold && [" where the truth is ", gold].join(""), ".")),
    ...shownText(examples, row),
    explanation ? explanationView(explanation, examples, gold) : null,
    votes(examples, row));
}

function fields(examples: Examples, filter: Filter, gated: string | undefined, changed: () => void): HTMLElement {
  const systems = Object.keys(examples.predicted);
  const labels: [string, string][] = [["", "any"], ...examples.labels.map((name): [string, string] => [name, name])];
  const set = <K extends keyof Filter>(key: K) => (value: string) => { filter[key] = value as Filter[K]; changed(); };
  const search = h("input", { type: "search", placeholder: "words or features", input: () => { filter.words = search.value; changed(); } });
  return h("form", { class: "controls", submit: (event: Event) => event.preventDefault(), "aria-label": "Filter the rows" },
    h("label", { class: "field grow" }, h("span", {}, "Search"), search),
    systems.length > 1 && choice("System", systems.map((name) => [name, name]), filter.system, set("system")),
    choice("Outcome", [["all", "all"], ["wrong", "wrong"], ["right", "right"], ...(systems.length > 1 ? [["disagree", "systems disagree"] as [string, string]] : [])], filter.outcome, set("outcome")),
    choice("True label", labels, filter.gold, set("gold")),
    choice("Predicted", labels, filter.predicted, set("predicted")),
    examples.general && choice(`P(general)${gated ? ` of ${gated}` : ""}`, [["all", "any"], ["specific", "specific, below 10%"], ["between", "10% to 90%"], ["general", "general, above 90%"]], filter.gate, set("gate")),
    choice("Order", [["row", "as in the file"], ["unsure", "least sure first"], ["sure", "most sure first"],
      ...(examples.general ? [["general", "most general first"], ["specific", "most specific first"]] as [string, string][] : [])], filter.order, set("order")));
}

export function examplesPanel(result: Result): Browser | undefined {
  if (!result.rows || result.rows.gold.length === 0) return undefined;
  const examples = gateVaries(result) ? result.rows : { ...result.rows, general: undefined };
  const systems = Object.keys(examples.predicted);
  const gated = result.gate?.system;  // the system whose gate `examples.general` is of
  const first = [examples.explained, result.best, systems[0]].find((name) => name && systems.includes(name)) ?? "";
  const filter: Filter = { words: "", system: first, outcome: "all", gold: "", predicted: "", gate: "all", order: "row" };
  const index = new SearchIndex(examples);
  const status = h("p", { class: "note", role: "status" });
  const pane = h("div", { class: "pane", "aria-live": "polite", tabindex: -1 }, h("p", { class: "note" }, "Choose a row to see why it got its label."));

  const list = new VirtualList("Test rows", rowHeight, (row) => {
    const of = examples.predicted[filter.system];
    const right = of?.label[row] === examples.gold[row];
    return [
      h("span", { class: right ? "outcome right" : "outcome wrong", role: "img", "aria-label": right ? "right" : "wrong" }, right ? "✓" : "✗"),
      h("span", { class: "body" }, h("span", { class: "clip" }, exampleText(examples, row)),
        h("span", { class: "sub" }, `${label(examples, examples.gold[row])} → ${label(examples, of?.label[row])} ${of ? probability(of.probability[row]) : ""}`,
          examples.general && (!gated || gated === filter.system) && ` · general ${probability(examples.general[row])}`)),
    ];
  }, (row) => {
    replace(pane, detail(examples, row, filter.system));
    if (matchMedia("(max-width: 900px)").matches) pane.scrollIntoView({ block: "nearest" });
  });

  const update = () => {
    const rows = select(examples, index, filter);
    const wrong = rows.filter((row) => examples.predicted[filter.system]?.label[row] !== examples.gold[row]).length;
    status.textContent = rows.length === 0 ? "No row passes these filters."
      : `${count(rows.length)} of ${counted(examples.gold.length, "row")}; ${filter.system} has ${count(wrong)} wrong.`;
    list.show(rows);
  };
  const controls = fields(examples, filter, gated, update);
  update();
  return {
    children: [
      examples.gold.length < examples.of && h("p", { class: "note" }, examples.note ?? `${count(examples.gold.length)} of ${count(examples.of)} test rows are listed.`),
      controls, status, h("div", { class: "browser" }, list.element, pane),
    ],
    open: (row) => {
      list.element.scrollIntoView({ block: "center" });
      list.select(row);
    },
  };
}
