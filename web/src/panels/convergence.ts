// Conditional EM by sub-step: the objective and pi (D&M06 §5.5 and its convergence figure).
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { chart, legend, xAxis, yAxis, type Box } from "../chart.ts";
import { h, s, type Child } from "../dom.ts";
import { percent, short } from "../format.ts";
import { tip } from "../tooltip.ts";
import type { Result, Step } from "../result.ts";

const stepNames: Record<string, string> = { e: "E-step", pi: "π", lambda: "λ (experts)", psi: "ψ (gate)" };
const stepColours: Record<string, string> = { e: "var(--s7)", pi: "var(--s1)", lambda: "var(--s0)", psi: "var(--s8)" };

const digitWidth = 7;  // of a tick's label

// Rounds without room for their number get none.
function rounds(svg: SVGSVGElement, steps: Step[], x: (place: number) => number, box: Box) {
  let free = 0;
  steps.forEach((step, place) => {
    if (place > 0 && steps[place - 1].round === step.round) return;
    const at = place === 0 ? box.left : x(place - 0.5);
    if (place > 0) svg.append(s("line", { class: "grid", x1: at, x2: at, y1: box.top, y2: box.bottom }));
    const last = steps.findIndex((other, p) => p >= place && other.round !== step.round);
    const end = last < 0 ? box.right : x(last - 0.5);
    const text = end - at > 52 ? `round ${step.round}` : String(step.round);
    const middle = (at + end) / 2, half = text.length * digitWidth / 2;
    if (middle - half < free) return;
    free = middle + half + digitWidth;
    svg.append(s("text", { class: "tick-label", x: middle, y: box.bottom + 16, "text-anchor": "middle" }, text));
  });
}

function frame(svg: SVGSVGElement, steps: Step[], width: number, height: number, left: number) {
  const box: Box = { left, right: width - 10, top: 22, bottom: height - 40 };
  const x = scaleLinear([-0.5, steps.length - 0.5], [box.left, box.right]);
  xAxis(svg, x, box, "sub-steps of conditional EM", [], String);
  rounds(svg, steps, x, box);
  return { box, x };
}

function drawObjective(svg: SVGSVGElement, width: number, height: number, steps: Step[]) {
  const { box, x } = frame(svg, steps, width, height, 62);
  const y = scaleLinear(extent(steps, (step) => step.objective) as [number, number], [box.bottom - 6, box.top]).nice(4);
  yAxis(svg, y, box, "penalised conditional log likelihood, nats", y.ticks(4), short);
  const path = line<Step>().x((_, place) => x(place)).y((step) => y(step.objective));
  svg.append(s("path", { d: path(steps) ?? "", css: { fill: "none", stroke: "var(--muted)", "stroke-width": "1.5" } }));
  steps.forEach((step, place) => svg.append(tip(
    s("circle", { cx: x(place), cy: y(step.objective), r: 4.5, css: { fill: stepColours[step.step] ?? "var(--s0)" } }),
    `round ${step.round}, ${stepNames[step.step] ?? step.step}: ${step.objective.toFixed(2)}`)));
}

function drawShares(svg: SVGSVGElement, width: number, height: number, steps: Step[], domains: string[]) {
  const { box, x } = frame(svg, steps, width, height, 62);
  const y = scaleLinear([0, 1], [box.bottom, box.top]);
  yAxis(svg, y, box, "π, share of the domain that is general, %", [0, 0.25, 0.5, 0.75, 1], (v) => (100 * v).toFixed(0));
  domains.forEach((domain, d) => {
    const path = line<Step>().x((_, place) => x(place)).y((step) => y(step.general_share[domain]));
    svg.append(s("path", { d: path(steps) ?? "", css: { fill: "none", stroke: `var(--s${(4 * d) % 11})`, "stroke-width": "2.2" } }));
    steps.forEach((step, place) => svg.append(tip(
      s("circle", { cx: x(place), cy: y(step.general_share[domain]), r: 3.5, css: { fill: `var(--s${(4 * d) % 11})` } }),
      `${domain}, round ${step.round}, ${stepNames[step.step] ?? step.step}: ${percent(step.general_share[domain])}`)));
  });
}

// Whether one of the lines of pi is not flat.
function sharesVary(steps: Step[], domains: string[]): boolean {
  return domains.some((domain) => {
    const [low, high] = extent(steps, (step) => step.general_share[domain]) as [number, number];
    return high - low > 0.02;
  });
}

export function convergencePanel(result: Result): Child[] | undefined {
  const steps = result.trace?.steps ?? [];
  if (steps.length < 2) return undefined;
  const domains = Object.keys(steps[0].general_share);
  const last = steps[steps.length - 1];
  const used = [...new Set(steps.map((step) => step.step))];
  return [
    h("p", { class: "note" }, `Training of ${result.trace!.system} on all training rows.`),
    h("div", { class: "pair-of-charts" },
      chart({
        title: "Objective after each sub-step", height: 270,
        summary: `From ${short(steps[0].objective)} to ${short(last.objective)} in ${last.round} rounds`,
        legend: legend(used.map((step) => ({ name: stepNames[step] ?? step, colour: stepColours[step] ?? "var(--s0)" }))),
        draw: (svg, width, height) => drawObjective(svg, width, height, steps),
        table: { head: ["round", "step", "objective", ...domains.map((d) => `π of ${d}`)],
          rows: steps.map((step) => [step.round, step.step, step.objective.toFixed(3), ...domains.map((d) => percent(step.general_share[d], 2))]) },
      }),
      sharesVary(steps, domains) && chart({
        title: "How much of each domain is general", height: 270,
        summary: domains.map((d) => `${d} ends at ${percent(last.general_share[d])}`).join(", "),
        legend: legend(domains.map((name, d) => ({ name, colour: `var(--s${(4 * d) % 11})` }))),
        draw: (svg, width, height) => drawShares(svg, width, height, steps, domains),
      })),
  ];
}
