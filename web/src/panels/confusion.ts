// Which labels are confused with which, for one system at a time.
import { choice, h, replace, type Child } from "../dom.ts";
import { count, percent } from "../format.ts";
import { tip } from "../tooltip.ts";
import { plainTable } from "../chart.ts";
import type { Confusion, Result } from "../result.ts";

const widest = 16;
const narrowest = 4;  // labels that fit a phone

function matrix(confusion: Confusion): Child {
  const golds = Object.keys(confusion);
  const predicted = [...new Set(golds.flatMap((gold) => Object.keys(confusion[gold])))];
  return h("div", { class: predicted.length > narrowest ? "scroll wide" : "scroll", tabindex: 0, role: "region", "aria-label": "Confusion matrix" },
    h("table", { class: predicted.length > narrowest ? "confusion many" : "confusion" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "corner" }, "true ↓  predicted →"), ...predicted.map((label) => h("th", { scope: "col" }, h("span", {}, label))), h("th", { scope: "col", class: "wide" }, "rows"))),
      h("tbody", {}, ...golds.map((gold) => {
        const row = predicted.map((label) => confusion[gold][label] ?? 0);
        const total = row.reduce((a, b) => a + b, 0);
        return h("tr", {}, h("th", { scope: "row" }, gold), ...row.map((n, place) => {
          const share = total > 0 ? n / total : 0;
          return tip(h("td", { class: predicted[place] === gold ? "hit" : "miss", css: { "--share": String(Math.round(100 * share)) } },
            h("span", {}, count(n))), `${count(n)} of ${count(total)} rows labelled ${gold} were predicted ${predicted[place]} (${percent(share)})`);
        }), h("td", { class: "total wide" }, count(total)));
      }))));
}

function mistakes(confusion: Confusion): { gold: string; predicted: string; rows: number }[] {
  return Object.entries(confusion)
    .flatMap(([gold, row]) => Object.entries(row).map(([predicted, rows]) => ({ gold, predicted, rows })))
    .filter((each) => each.gold !== each.predicted && each.rows > 0)
    .sort((a, b) => b.rows - a.rows);
}

export function confusionPanel(result: Result): Child[] | undefined {
  const systems = result.systems?.filter((system) => system.confusion && Object.keys(system.confusion).length > 0) ?? [];
  if (systems.length === 0) return undefined;
  const holder = h("div");
  function show(name: string) {
    const confusion = systems.find((system) => system.name === name)!.confusion!;
    const most = mistakes(confusion).slice(0, 10);
    replace(holder,
      Object.keys(confusion).length <= widest && matrix(confusion),
      Object.keys(confusion).length > 2 && most.length > 0 && h("div", {}, h("h3", {}, "Most frequent mistakes"),
        plainTable(["true", "predicted", "rows"], most.map((each) => [each.gold, each.predicted, each.rows]))));
  }
  const first = systems.find((system) => system.name === result.best) ?? systems[0];
  show(first.name);
  return [h("div", { class: "controls" }, choice("System", systems.map(({ name }) => [name, name]), first.name, show)), holder];
}
