// The verdict and the figures behind it.
import { h, type Child } from "../dom.ts";
import { count, percent, points } from "../format.ts";
import type { Result, System } from "../result.ts";

function tile(figure: string, caption: string, detail?: string): HTMLElement {
  return h("div", { class: "tile" }, h("div", { class: "figure" }, figure), h("div", { class: "caption" }, caption),
    detail && h("div", { class: "detail" }, detail));
}

function tiles(result: Result, best: System): Child[] {
  const target = result.data?.target ?? result.target;
  const onlyi = result.systems!.find((x) => x.name === "onlyi");
  const tested = result.examples ?? result.rows?.of;
  return [
    tile(percent(best.accuracy), `accuracy of ${best.name}`,
      best.interval && `95% interval ${percent(best.interval[0])} to ${percent(best.interval[1])}`),
    tile(best.log_loss.toFixed(3), "log loss", "mean nats per example, lower is better"),
    onlyi && onlyi !== best && tile(points(best.accuracy - onlyi.accuracy), "points over onlyi", "which learns from the target domain alone"),
    tested !== undefined && tile(count(tested), "test rows", target && `of the domain ${target}`),
  ];
}

function curveTiles(result: Result): Child[] {
  const curve = result.curves!.find(({ name }) => name === result.best);
  const last = curve?.points?.[curve.points.length - 1];
  return [
    last && tile(percent(last.mean), `accuracy of ${curve!.name}`, `with ${count(Math.round(last.examples))} target examples`),
    result.reference !== undefined && tile(percent(result.reference), "accuracy of onlyi", "with all target examples"),
    typeof result.enough === "number" && tile(count(Math.ceil(result.enough)), "examples are enough", `for ${result.best} to reach that`),
    result.examples_tested !== undefined && tile(count(result.examples_tested), "test rows", result.target && `of the domain ${result.target}`),
  ];
}

export function verdictPanel(result: Result): HTMLElement {
  const best = result.systems?.find((x) => x.name === result.best);
  return h("section", { class: "verdict", "aria-label": "Verdict" },
    result.title && h("p", { class: "eyebrow" }, result.title),
    h("p", { class: "sentence" }, result.verdict ?? "No verdict was stored with this result."),
    result.complete === false && h("p", { class: "warning" }, "This run was stopped before the last system; what had finished is shown."),
    best ? h("div", { class: "tiles" }, ...tiles(result, best)) : result.curves && h("div", { class: "tiles" }, ...curveTiles(result)));
}
