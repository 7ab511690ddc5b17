// Does 80% sure mean right in 80% of the cases? One small diagram per system.
import { max } from "d3-array";
import { scaleLinear, scaleSqrt } from "d3-scale";
import { line } from "d3-shape";
import { chart, xAxis, yAxis, type Box } from "../chart.ts";
import { h, s, type Child } from "../dom.ts";
import { count, percent } from "../format.ts";
import { systemColour } from "../theme.ts";
import { tip } from "../tooltip.ts";
import { byScore } from "./systems.ts";
import type { Bin, Result, System } from "../result.ts";

function draw(svg: SVGSVGElement, width: number, height: number, system: System, low: number, lowest: number) {
  const box: Box = { left: 38, right: width - 12, top: 28, bottom: height - 38 };
  const bins = system.reliability!.bins.filter((bin) => bin.count > 0);
  const x = scaleLinear([low, 1], [box.left, box.right]), y = scaleLinear([lowest, 1], [box.bottom, box.top]);
  const radius = scaleSqrt([0, max(bins, (bin) => bin.count) ?? 1], [2.5, 9]);
  const colour = systemColour(system.name);
  yAxis(svg, y, box, "right, %", y.ticks(4), (v) => (100 * v).toFixed(0));
  xAxis(svg, x, box, "predicted probability, %", x.ticks(4), (v) => (100 * v).toFixed(0));
  svg.append(s("line", { class: "diagonal", x1: x(low), y1: y(low), x2: x(1), y2: y(1) }));
  const path = line<Bin>().x((bin) => x(bin.confidence)).y((bin) => y(bin.accuracy));
  svg.append(s("path", { d: path(bins) ?? "", css: { fill: "none", stroke: colour, "stroke-width": "1.8" } }));
  for (const bin of bins) {
    svg.append(tip(s("circle", { cx: x(bin.confidence), cy: y(bin.accuracy), r: radius(bin.count), css: { fill: colour, "fill-opacity": "0.8" } }),
      `${count(bin.count)} rows predicted with ${percent(bin.confidence)}, ${percent(bin.accuracy)} of them right`));
  }
}

export function reliabilityPanel(result: Result): Child[] | undefined {
  const systems = byScore(result.systems ?? []).filter((system) => (system.reliability?.bins.length ?? 0) > 0);
  if (systems.length === 0) return undefined;
  const smallest = Math.min(...systems.flatMap((x) => x.reliability!.bins.filter((bin) => bin.count > 0).map((bin) => bin.from)));
  const low = Math.floor(10 * smallest) / 10;
  const leastRight = Math.min(...systems.flatMap((x) => x.reliability!.bins.filter((bin) => bin.count > 0).map((bin) => bin.accuracy)));
  const lowest = Math.min(low, Math.floor(10 * leastRight) / 10);
  return [
    h("p", { class: "note" }, "Is a system right as often as it says? On the line it is. Below the line it is too sure, above it not sure enough. A larger dot stands for more test rows. The calibration error is the mean distance from the line."),
    h("div", { class: "multiples" }, ...systems.map((system) => chart({
      title: `${system.name}, calibration error ${percent(system.reliability!.calibration_error)}`,
      summary: "Share of right predictions by predicted probability",
      height: 210, draw: (svg, width, height) => draw(svg, width, height, system, low, lowest),
      table: { head: ["sure", "right", "rows"], rows: system.reliability!.bins.filter((b) => b.count > 0).map((b) => [percent(b.confidence), percent(b.accuracy), count(b.count)]) },
    }))),
  ];
}
