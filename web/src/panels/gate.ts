// How the gate rates the test rows, with examples from both ends.
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { chart, legend, xAxis, yAxis, type Box } from "../chart.ts";
import { h, s, type Child } from "../dom.ts";
import { count, percent, probability } from "../format.ts";
import { tip } from "../tooltip.ts";
import { exampleText, gateVaries } from "../examples_data.ts";
import type { Examples, GateShares, Result } from "../result.ts";

function drawGate(svg: SVGSVGElement, width: number, height: number, gate: GateShares) {
  const box: Box = { left: 46, right: width - 10, top: 22, bottom: height - 40 };
  const x = scaleLinear([0, 1], [box.left, box.right]);
  const y = scaleLinear([0, max(gate.bins, (bin) => bin.right + bin.wrong) || 1], [box.bottom, box.top]).nice(4);
  yAxis(svg, y, box, "test rows", y.ticks(4).filter(Number.isInteger), count);
  xAxis(svg, x, box, "P(general | row)", [0, 0.25, 0.5, 0.75, 1], (v) => percent(v, 0));
  for (const bin of gate.bins) {
    const at = x(bin.from) + 1, wide = Math.max(1, x(bin.to) - x(bin.from) - 2);
    const text = `P(general) ${percent(bin.from, 0)} to ${percent(bin.to, 0)}: ${count(bin.right)} right, ${count(bin.wrong)} wrong`;
    const top = y(bin.right + bin.wrong), middle = y(bin.wrong);
    svg.append(
      tip(s("rect", { x: at, width: wide, y: top, height: Math.max(0, middle - top), css: { fill: "var(--right)" } }), text),
      tip(s("rect", { x: at, width: wide, y: middle, height: Math.max(0, box.bottom - middle), css: { fill: "var(--wrong)" } }), text));
  }
}

function ends(examples: Examples, open: (row: number) => void): Child {
  const general = examples.general!;
  const order = general.map((_, row) => row).sort((a, b) => general[a] - general[b]);
  const list = (title: string, rows: number[]) => h("div", {},
    h("h3", {}, title),
    h("ol", { class: "ends" }, ...rows.map((row) => h("li", {},
      h("button", { type: "button", class: "row-link", click: () => open(row) },
        h("span", { class: "number" }, probability(general[row])), h("span", { class: "clip" }, exampleText(examples, row)))))));
  return h("div", { class: "pair-of-charts" },
    list("Most specific to the target", order.slice(0, 6)), list("Most general", order.slice(-6).reverse()));
}

export function gatePanel(result: Result, open: (row: number) => void): Child[] | undefined {
  const gate = result.gate;
  if (!gate || gate.bins.length === 0 || !gateVaries(result)) return undefined;
  const rows = gate.bins.reduce((sum, bin) => sum + bin.right + bin.wrong, 0);
  return [
    h("p", { class: "note" }, `${gate.system} has a general expert and one of the target's own. P(general) says how much the general one counts for a test row.`,
      gate.share !== undefined && ` In training it was ${percent(gate.share)} for the target domain as a whole.`),
    chart({
      title: "Distribution of P(general) over the test rows", height: 260,
      summary: `${count(rows)} rows, ${count(gate.bins[0].right + gate.bins[0].wrong)} in the most specific bin and ${count(gate.bins[gate.bins.length - 1].right + gate.bins[gate.bins.length - 1].wrong)} in the most general one`,
      legend: legend([{ name: "predicted right", colour: "var(--right)" }, { name: "predicted wrong", colour: "var(--wrong)" }]),
      draw: (svg, width, height) => drawGate(svg, width, height, gate),
      table: { head: ["from", "to", "right", "wrong"], rows: gate.bins.map((b) => [percent(b.from, 0), percent(b.to, 0), count(b.right), count(b.wrong)]) },
    }),
    result.rows?.general && result.rows.general.length > 1 && ends(result.rows, open),
  ];
}
