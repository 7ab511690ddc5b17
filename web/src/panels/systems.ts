// The table of systems: sortable, with 95% intervals drawn on one scale and marks that say
// whether the difference from the best is significant.
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { h, s, type Child } from "../dom.ts";
import { percent, points, pValue, seconds } from "../format.ts";
import { systemColour } from "../theme.ts";
import { tip } from "../tooltip.ts";
import type { Pair, Result, System } from "../result.ts";

const level = 0.05;

export function findPair(pairs: Pair[] | undefined, a: string, b: string): Pair | undefined {
  return pairs?.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
}

export function significance(result: Result, system: System): { mark: string; text: string; rank: number } {
  if (system.name === result.best) return { mark: "best", text: "best", rank: 2 };
  const pair = result.best ? findPair(result.pairs, system.name, result.best) : undefined;
  if (!pair) return { mark: "none", text: "not tested", rank: -1 };
  const same = pair.p_holm >= level;
  return { mark: same ? "none" : "worse", text: `${same ? "may be chance" : "worse"}, ${pValue(pair.p_holm)}`, rank: pair.p_holm };
}

interface Column {
  name: string;
  hint?: string;
  key: (system: System) => number | string;
  cell: (system: System) => Child;
  number?: boolean;
  first?: "ascending" | "descending";
}

// Dot and whisker. All systems share the scale, so rows can be compared by eye.
function whisker(system: System, scale: (x: number) => number, width: number): Child {
  const [low, high] = system.interval ?? [system.accuracy, system.accuracy];
  const colour = systemColour(system.name);
  return tip(s("svg", { width, height: 18, class: "whisker", "aria-hidden": "true" },
    s("line", { x1: 0, x2: width, y1: 9, y2: 9, class: "grid" }),
    s("line", { x1: scale(low), x2: scale(high), y1: 9, y2: 9, css: { stroke: colour, "stroke-width": "3", "stroke-linecap": "round", opacity: "0.55" } }),
    s("circle", { cx: scale(system.accuracy), cy: 9, r: 4.5, css: { fill: colour } })),
    `${system.name}: ${percent(system.accuracy)}, 95% interval ${percent(low)} to ${percent(high)}`);
}

function columns(result: Result, systems: System[]): Column[] {
  const width = 120;
  const [low = 0, high = 1] = extent(systems.flatMap((x) => [x.accuracy, ...(x.interval ?? [])]));
  const scale = scaleLinear([low, high], [6, width - 6]);
  const all: (Column | false)[] = [
    { name: "System", key: (x) => x.name, first: "ascending", cell: (x) => h("span", { class: "system" },
      h("span", { class: "swatch", css: { background: systemColour(x.name) } }), x.name) },
    { name: "Accuracy", key: (x) => x.accuracy, number: true, cell: (x) => percent(x.accuracy) },
    systems.some((x) => x.interval) && {
      name: "95% interval", hint: "Bootstrap interval of the accuracy", key: (x) => x.interval?.[0] ?? 0,
      cell: (x) => h("span", { class: "interval" }, whisker(x, scale, width),
        x.interval && h("span", {}, `${percent(x.interval[0])}–${percent(x.interval[1])}`)) },
    { name: "Log loss", hint: "Mean nats per example; lower is better", key: (x) => x.log_loss, number: true,
      first: "ascending", cell: (x) => x.log_loss.toFixed(3) },
    systems.some((x) => x.f1 !== undefined) && { name: "F1", key: (x) => x.f1 ?? 0, number: true,
      cell: (x) => (x.f1 === undefined ? "–" : percent(x.f1)) },
    result.pairs !== undefined && {
      name: "Less than the best", hint: "McNemar's test on the same test rows, Holm-corrected", key: (x) => significance(result, x).rank,
      cell: (x) => {
        const { mark, text } = significance(result, x);
        return h("span", { class: `mark ${mark}` }, text);
      } },
    systems.some((x) => x.error_reduction !== undefined) && {
      name: "Avoidable", hint: "Share of this system's errors that the best system does not make",
      key: (x) => x.error_reduction ?? 0, number: true,
      cell: (x) => (x.name === result.best || x.error_reduction === undefined ? "–" : percent(x.error_reduction)) },
    systems.some((x) => x.seconds !== undefined) && { name: "Time", hint: "Tuning, training and testing", key: (x) => x.seconds ?? 0, number: true,
      first: "ascending", cell: (x) => (x.seconds === undefined ? "–" : seconds(x.seconds)) },
  ];
  return all.filter((column): column is Column => column !== false);
}

function compareKeys(a: number | string, b: number | string): number {
  return typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b);
}

function sortable(result: Result, systems: System[]): HTMLElement {
  const all = columns(result, systems);
  const body = h("tbody");
  const heads = all.map((column) => h("th", { scope: "col", class: column.number ? "number" : null, title: column.hint },
    h("button", { type: "button", class: "sort", click: () => sortBy(column) }, column.name)));
  let sorted: Column | undefined, order = "descending";

  function sortBy(column: Column) {
    order = column === sorted ? (order === "ascending" ? "descending" : "ascending") : column.first ?? "descending";
    sorted = column;
    const sign = order === "ascending" ? 1 : -1;
    const rows = [...systems].sort((a, b) => sign * compareKeys(column.key(a), column.key(b)));
    body.replaceChildren(...rows.map((system) => h("tr", { class: system.name === result.best ? "best" : null, "data-system": system.name },
      ...all.map((each, place) => place === 0
        ? h("th", { scope: "row" }, each.cell(system))
        : h("td", { class: each.number ? "number" : null }, each.cell(system))))));
    heads.forEach((head, place) => {
      if (all[place] === sorted) head.setAttribute("aria-sort", order);
      else head.removeAttribute("aria-sort");
    });
  }
  sortBy(all[1]);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Systems" },
    h("table", { class: "systems" }, h("thead", {}, h("tr", {}, ...heads)), body));
}

// By how many points the row is better than the column; filled if that is significant.
function pairTable(systems: System[], pairs: Pair[]): HTMLElement {
  const names = [...systems].sort((a, b) => b.accuracy - a.accuracy).map((x) => x.name);
  const accuracy = new Map(systems.map((x) => [x.name, x.accuracy]));
  const cell = (a: string, b: string): HTMLElement => {
    const pair = findPair(pairs, a, b);
    if (a === b || !pair) return h("td", { class: "empty" });
    const gain = accuracy.get(a)! - accuracy.get(b)!;
    const [mine, theirs] = pair.a === a ? pair.discordant : [pair.discordant[1], pair.discordant[0]];
    const clear = pair.p_holm < level;
    return tip(h("td", { class: `pair ${clear ? (gain > 0 ? "above" : "below") : "even"}` }, points(gain), clear && h("sup", {}, "*")),
      `${a} alone right on ${mine} rows, ${b} alone on ${theirs}; ${pValue(pair.p)}, Holm-corrected ${pValue(pair.p_holm)}`);
  };
  return h("details", {}, h("summary", {}, "Every pair"),
    h("p", { class: "note" }, "Accuracy of the row's system minus that of the column's, in percentage points. * and colour: significant at 5% by McNemar's test after Holm's correction over all pairs."),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Every pair of systems" },
      h("table", { class: "pairs" },
        h("thead", {}, h("tr", {}, h("td"), ...names.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...names.map((a) => h("tr", {}, h("th", { scope: "row" }, a), ...names.map((b) => cell(a, b))))))));
}

export function systemsPanel(result: Result): Child[] | undefined {
  const ran = result.systems ?? [];
  if (ran.length === 0) return undefined;
  const absent = result.left_out ?? [];
  return [
    sortable(result, ran),
    absent.length > 0 && h("p", { class: "note" }, "Left out: ", absent.map((x) => `${x.name} (${x.reason})`).join("; "), "."),
    result.pairs && result.pairs.length > 0 && pairTable(ran, result.pairs),
  ];
}
