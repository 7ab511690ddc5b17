// The table of systems: sortable, with 95% intervals drawn on one scale and marks that say
// whether the difference from the best is significant.
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { h, s, type Child } from "../dom.ts";
import { percent, points, pValue, seconds } from "../format.ts";
import { systemColour } from "../theme.ts";
import { tip } from "../tooltip.ts";
import { plainTable } from "../chart.ts";
import type { Pair, Result, System } from "../result.ts";

const level = 0.05;

export function findPair(pairs: Pair[] | undefined, a: string, b: string): Pair | undefined {
  return pairs?.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
}

export function significance(result: Result, system: System): { mark: string; text: string; p?: string; rank: number } {
  if (system.name === result.best) return { mark: "best", text: "best", rank: 2 };
  const pair = result.best ? findPair(result.pairs, system.name, result.best) : undefined;
  if (!pair) return { mark: "none", text: "not tested", rank: -1 };
  const same = pair.p_holm >= level;
  return { mark: same ? "none" : "worse", text: same ? "may be chance" : "worse", p: pValue(pair.p_holm), rank: pair.p_holm };
}

/// Taggers of spans are judged by F1, everything else by accuracy.
export function judged(system: System): { value: number; interval: [number, number] } {
  const value = system.span_interval && system.f1 !== undefined ? system.f1 : system.accuracy;
  return { value, interval: system.span_interval ?? system.interval ?? [value, value] };
}

interface Column {
  narrow?: boolean;  ///< shown on a phone too
  name: string;
  hint?: string;
  key: (system: System) => number | string;
  cell: (system: System) => Child;
  number?: boolean;
  first?: "ascending" | "descending";
}

// Dot and whisker. All systems share the scale, so rows can be compared by eye.
function whisker(system: System, scale: (x: number) => number, width: number): Child {
  const { value, interval: [low, high] } = judged(system);
  const colour = systemColour(system.name);
  return tip(s("svg", { width, height: 18, class: "whisker", "aria-hidden": "true" },
    s("line", { x1: 0, x2: width, y1: 9, y2: 9, class: "grid" }),
    s("line", { x1: scale(low), x2: scale(high), y1: 9, y2: 9, css: { stroke: colour, "stroke-width": "3", "stroke-linecap": "round", opacity: "0.55" } }),
    s("circle", { cx: scale(value), cy: 9, r: 4.5, css: { fill: colour } })),
    `${system.name}: ${percent(value)}, 95% interval ${percent(low)} to ${percent(high)}`);
}

function columns(result: Result, systems: System[]): Column[] {
  const width = 120;
  const [low = 0, high = 1] = extent(systems.flatMap((x) => [judged(x).value, ...judged(x).interval]));
  const spans = systems.some((x) => x.span_interval);
  const scale = scaleLinear([low, high], [6, width - 6]);
  const all: (Column | false)[] = [
    { name: "System", narrow: true, key: (x) => x.name, first: "ascending", cell: (x) => named(x) },
    spans && { name: "Span F1", narrow: true, key: (x) => x.f1 ?? 0, number: true, cell: (x) => percent(x.f1 ?? 0) },
    { name: "Accuracy", narrow: !spans, key: (x) => x.accuracy, number: true, cell: (x) => percent(x.accuracy) },
    systems.some((x) => x.interval) && {
      name: "95% interval", hint: `Where the ${spans ? "span F1" : "accuracy"} would lie with other test data (bootstrap)`, key: (x) => judged(x).interval[0],
      cell: (x) => h("span", { class: "interval" }, whisker(x, scale, width),
        h("span", {}, judged(x).interval.map((end) => percent(end)).join("–"))) },
    { name: "Log loss", hint: "Nats a row; lower is better", key: (x) => x.log_loss, number: true,
      first: "ascending", cell: (x) => x.log_loss.toFixed(3) },
    !spans && systems.some((x) => x.f1 !== undefined) && { name: "F1", key: (x) => x.f1 ?? 0, number: true,
      cell: (x) => (x.f1 === undefined ? "–" : percent(x.f1)) },
    result.pairs !== undefined && {
      name: "Against the best", narrow: true, hint: spans ? "Randomisation test of the span F1, Holm-corrected" : "McNemar's test on the same test rows, Holm-corrected", key: (x) => significance(result, x).rank,
      cell: (x) => {
        const { mark, text, p } = significance(result, x);
        return h("span", { class: `mark ${mark}`, title: p }, text, p && h("span", { class: "wide" }, `, ${p}`));
      } },
    systems.some((x) => x.seconds !== undefined) && { name: "Time", hint: "Tuning, training and testing", key: (x) => x.seconds ?? 0, number: true,
      first: "ascending", cell: (x) => (x.seconds === undefined ? "–" : seconds(x.seconds)) },
  ];
  return all.filter((column): column is Column => column !== false);
}

// The name of a system; hovering shows what the system is.
function named(system: System): HTMLElement {
  const name = h("span", { class: "system" }, h("span", { class: "swatch", css: { background: systemColour(system.name) } }), system.name);
  return system.summary ? tip(name, `${system.name}: ${system.summary}`) : name;
}

function meanings(systems: System[]): Child {
  const known = systems.filter((x) => x.summary);
  return known.length > 0 && h("div", {}, h("h3", {}, "What the systems learn from"),
    h("dl", { class: "facts meanings" }, ...known.flatMap((x) => [h("dt", {}, named(x)), h("dd", {}, x.summary)])));
}

function classes(column: Column): string | null {
  return [column.number ? "number" : "", column.narrow ? "" : "wide"].join(" ").trim() || null;
}

function compareKeys(a: number | string, b: number | string): number {
  return typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b);
}

function sortable(result: Result, systems: System[]): HTMLElement {
  const all = columns(result, systems);
  const body = h("tbody");
  const heads = all.map((column) => h("th", { scope: "col", class: classes(column), title: column.hint },
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
        : h("td", { class: classes(each) }, each.cell(system))))));
    heads.forEach((head, place) => {
      if (all[place] === sorted) head.setAttribute("aria-sort", order);
      else head.removeAttribute("aria-sort");
    });
  }
  sortBy(all[1]);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Systems" },
    h("table", { class: "systems" }, h("thead", {}, h("tr", {}, ...heads)), body));
}

// By how many points the system of the row is better than that of the column; the cell is
// filled if the difference is significant.
function pairTable(systems: System[], pairs: Pair[]): HTMLElement {
  const sorted = byScore(systems);
  const names = sorted.map((x) => x.name);
  const value = new Map(systems.map((x) => [x.name, judged(x).value]));
  const cell = (a: string, b: string): HTMLElement => {
    const pair = findPair(pairs, a, b);
    if (a === b || !pair) return h("td", { class: "empty" });
    const gain = value.get(a)! - value.get(b)!;
    const [mine, theirs] = pair.a === a ? pair.discordant : [pair.discordant[1], pair.discordant[0]];
    const clear = pair.p_holm < level;
    return tip(h("td", { class: `pair ${clear ? (gain > 0 ? "above" : "below") : "even"}` }, points(gain), clear && h("sup", {}, "*")),
      `${a} alone right on ${mine} rows, ${b} alone on ${theirs}; ${pValue(pair.p)}, Holm-corrected ${pValue(pair.p_holm)}`);
  };
  const what = systems.some((x) => x.span_interval) ? "Span F1" : "Accuracy";
  const list = names.flatMap((a, i) => names.slice(i + 1).flatMap((b) => {
    const pair = findPair(pairs, a, b);
    return pair ? [[a, b, points(value.get(a)! - value.get(b)!), pValue(pair.p_holm)]] : [];
  }));
  return h("details", {}, h("summary", {}, "Every pair"),
    h("p", { class: "note" }, `${what} of the first system minus that of the second, in percentage points. Colour and *: not chance, at the 5% level after Holm's correction over all pairs.`),
    h("div", { class: "only-narrow" }, plainTable(["first", "second", "points", "corrected"], list)),
    h("div", { class: "scroll wide", tabindex: 0, role: "region", "aria-label": "Every pair of systems" },
      h("table", { class: "pairs" },
        h("thead", {}, h("tr", {}, h("td"), ...names.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...names.map((a) => h("tr", {}, h("th", { scope: "row" }, a), ...names.map((b) => cell(a, b))))))));
}

export function byScore(systems: System[]): System[] {
  return [...systems].sort((a, b) => judged(b).value - judged(a).value || a.log_loss - b.log_loss);
}

export function systemsPanel(result: Result): Child[] | undefined {
  const ran = byScore(result.systems ?? []);
  if (ran.length === 0) return undefined;
  const absent = result.left_out ?? [];
  return [
    sortable(result, ran),
    meanings(ran),
    absent.length > 0 && h("p", { class: "note" }, "Left out: ", absent.map((x) => `${x.name} (${x.reason})`).join("; "), "."),
    result.pairs && result.pairs.length > 0 && pairTable(ran, result.pairs),
  ];
}
