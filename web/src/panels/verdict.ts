// The verdict and the figures behind it.
import { h, type Child } from "../dom.ts";
import { count, percent } from "../format.ts";
import type { Result, System } from "../result.ts";

function tile(figure: string, caption: string, detail?: string): HTMLElement {
  return h("div", { class: "tile" }, h("div", { class: "figure" }, figure), h("div", { class: "caption" }, caption),
    detail && h("div", { class: "detail" }, detail));
}

function tiles(result: Result, best: System): Child[] {
  const target = result.data?.target ?? result.target;
  const tested = result.examples ?? result.rows?.of;
  const between = (interval?: [number, number]) => interval && `95% interval ${percent(interval[0])} to ${percent(interval[1])}`;
  return [
    best.span_interval && best.f1 !== undefined && tile(percent(best.f1), `span F1 of ${best.name}`, between(best.span_interval)),
    tile(percent(best.accuracy), best.span_interval ? "tags right" : `rows that ${best.name} gets right`, between(best.interval)),
    tile(best.log_loss.toFixed(3), "log loss", `nats a ${best.span_interval ? "token" : "row"}; lower is better`),
    tested !== undefined && tile(count(tested), best.span_interval ? "test tokens" : "test rows", target && `of the domain ${target}`),
  ];
}

function curveTiles(result: Result): Child[] {
  const curve = result.curves!.find(({ name }) => name === result.best);
  const last = curve?.points?.[curve.points.length - 1];
  return [
    last && tile(percent(last.mean), `accuracy of ${curve!.name}`, `with ${count(Math.round(last.examples))} target examples`),
    result.reference !== undefined && tile(percent(result.reference), "accuracy of onlyi", "with all target examples"),
    typeof result.enough === "number" && tile(count(Math.round(result.enough)), "examples are enough", `for ${result.best} to reach that`),
    result.examples_tested !== undefined && tile(count(result.examples_tested), "test rows", result.target && `of the domain ${result.target}`),
  ];
}

export function verdictPanel(result: Result): HTMLElement {
  const best = result.systems?.find((x) => x.name === result.best);
  return h("section", { class: "verdict", "aria-label": "Verdict" },
    result.title && h("p", { class: "eyebrow" }, result.title),
    result.complete === false && h("p", { class: "unfinished" }, h("span", { class: "mark worse" }, "unfinished"), " The comparison was stopped early. Systems that had not finished are missing."),
    h("p", { class: "sentence" }, result.verdict ?? "This result has no verdict."),
    result.evidence && result.evidence.length > 0 && h("ul", { class: "evidence" }, ...result.evidence.map((sentence) => h("li", {}, sentence))),
    best ? h("div", { class: "tiles" }, ...tiles(result, best)) : result.curves && h("div", { class: "tiles" }, ...curveTiles(result)));
}
