// Learning curves: the mean over repeats with a band, by the number of target examples.
import { extent, max, min } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import { area, line } from "d3-shape";
import { chart, legend, xAxis, yAxis, type Box } from "../chart.ts";
import { choice, h, s, replace, type Child } from "../dom.ts";
import { count, percent } from "../format.ts";
import { systemColour } from "../theme.ts";
import { tip } from "../tooltip.ts";
import type { CurvePoint, Result } from "../result.ts";

interface Metric {
  name: string;
  unit: string;
  value: (point: CurvePoint) => number;
  band: (point: CurvePoint) => [number, number];
  text: (x: number) => string;
}

interface Curve {
  name: string;
  points: CurvePoint[];
}

const accuracy: Metric = {
  name: "Accuracy", unit: "accuracy, %", value: (p) => p.mean, band: (p) => [p.low, p.high], text: (x) => percent(x),
};
const f1: Metric = {
  name: "F1", unit: "F1, %", value: (p) => p.f1!, band: (p) => [p.f1_low ?? p.f1!, p.f1_high ?? p.f1!], text: (x) => percent(x),
};
const logLoss: Metric = {
  name: "Log loss", unit: "log loss, nats per example", value: (p) => p.log_loss!,
  band: (p) => [p.log_loss_low ?? p.log_loss!, p.log_loss_high ?? p.log_loss!], text: (x) => x.toFixed(3),
};

// Returns measured sizes as ticks, as many as fit side by side.
function sizeTicks(sizes: number[], scale: (x: number) => number): number[] {
  const kept: number[] = [];
  for (const size of [...sizes].reverse()) {
    if (kept.length === 0 || scale(kept[kept.length - 1]) - scale(size) > 38) kept.push(size);
  }
  return kept;
}

function drawCurves(svg: SVGSVGElement, width: number, height: number, curves: Curve[], metric: Metric) {
  const box: Box = { left: 46, right: width - 10, top: 22, bottom: height - 40 };
  const all = curves.flatMap((curve) => curve.points);
  const [first = 1, last = 2] = extent(all, (p) => p.examples);
  const x = scaleLog([Math.max(1, first), Math.max(2, last)], [box.left + 6, box.right - 6]);
  const low = min(all, (p) => metric.band(p)[0])!, high = max(all, (p) => metric.band(p)[1])!;
  const y = scaleLinear([low, high], [box.bottom, box.top]).nice(5);
  const sizes = [...new Set(all.map((p) => p.examples))].sort((a, b) => a - b);
  yAxis(svg, y, box, metric.unit, y.ticks(5), metric === logLoss ? (v) => v.toFixed(2) : (v) => String(Number((100 * v).toFixed(1))));
  xAxis(svg, x, box, "target examples in training (log scale)", sizeTicks(sizes, x), (size) => count(Math.round(size)));
  for (const curve of curves) {
    const colour = systemColour(curve.name);
    const ribbon = area<CurvePoint>().x((p) => x(p.examples)).y0((p) => y(metric.band(p)[0])).y1((p) => y(metric.band(p)[1]));
    svg.append(s("path", { d: ribbon(curve.points) ?? "", css: { fill: colour, opacity: "0.13" } }));
  }
  for (const curve of curves) {
    const colour = systemColour(curve.name);
    const path = line<CurvePoint>().x((p) => x(p.examples)).y((p) => y(metric.value(p)));
    svg.append(s("path", { d: path(curve.points) ?? "", css: { fill: "none", stroke: colour, "stroke-width": "2.2" } }));
    for (const point of curve.points) {
      const [a, b] = metric.band(point);
      svg.append(tip(s("circle", { cx: x(point.examples), cy: y(metric.value(point)), r: 4, css: { fill: colour } }),
        `${curve.name}, ${count(Math.round(point.examples))} examples: ${metric.text(metric.value(point))} (${metric.text(a)} to ${metric.text(b)})`));
    }
  }
}

export function curvesPanel(result: Result): Child[] | undefined {
  const curves = (result.curves ?? []).flatMap(({ name, points }) => (points && points.length > 0 ? [{ name, points }] : []));
  if (curves.length === 0) return undefined;
  const absent = result.curves!.filter((curve) => curve.left_out);
  const metrics = [accuracy, f1, logLoss].filter((each) => curves.every((c) => c.points.every((p) => each.value(p) !== undefined)));
  let metric = metrics[0], hidden = new Set<string>();
  const holder = h("div");
  function redraw() {
    const shown = curves.filter((curve) => !hidden.has(curve.name));
    replace(holder, shown.length > 0 && chart({
      title: `${metric.name} by the number of target examples`,
      summary: shown.map((c) => `${c.name} goes from ${metric.text(metric.value(c.points[0]))} to ${metric.text(metric.value(c.points[c.points.length - 1]))}`).join("; "),
      height: (width) => Math.min(420, Math.max(260, 0.5 * width)),
      draw: (svg, width, height) => drawCurves(svg, width, height, shown, metric),
      table: {
        head: ["system", "examples", metric.name.toLowerCase(), "low", "high"],
        rows: shown.flatMap((c) => c.points.map((p) => [c.name, count(Math.round(p.examples)), metric.text(metric.value(p)), ...metric.band(p).map(metric.text)])),
      },
    }));
  }
  redraw();
  return [
    h("div", { class: "controls" },
      metrics.length > 1 && choice("Show", metrics.map((m) => [m.name, m.name]), metric.name, (name) => {
        metric = metrics.find((m) => m.name === name)!;
        redraw();
      }),
      legend(curves.map(({ name }) => ({ name, colour: systemColour(name) })), (names) => { hidden = names; redraw(); })),
    holder,
    h("p", { class: "note" }, "Bands are one standard deviation over repeated samples to each side of the mean."),
    absent.length > 0 && h("p", { class: "note" }, `Left out: ${absent.map(({ name, left_out }) => `${name} (${left_out})`).join("; ")}.`),
  ];
}
