// The frame of every chart: title, responsive drawing, axes with units, and the same
// numbers as a table for readers who cannot or do not want to use the picture.
import { h, s, replace, type Child } from "./dom.ts";
import type { ScaleContinuousNumeric } from "d3-scale";

export interface Chart {
  title: string;
  summary: string;  ///< what the picture shows, in words
  height: number | ((width: number) => number);
  draw: (svg: SVGSVGElement, width: number, height: number) => void;
  table?: { head: string[]; rows: (string | number)[][] };
  legend?: Child;
}

export function chart(options: Chart): HTMLElement {
  const holder = h("div", { class: "plot" });
  let drawn = 0;
  function draw() {
    const width = Math.floor(holder.clientWidth);
    if (width < 50 || width === drawn) return;
    drawn = width;
    const height = typeof options.height === "function" ? options.height(width) : options.height;
    const svg = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${options.title}. ${options.summary}` });
    options.draw(svg, width, height);
    replace(holder, svg);
  }
  new ResizeObserver(draw).observe(holder);
  return h("figure", { class: "chart" },
    h("figcaption", {}, options.title), options.legend, holder,
    options.table && numbers(options.table));
}

function numbers(table: { head: string[]; rows: (string | number)[][] }): HTMLElement {
  const details = h("details", { class: "numbers" }, h("summary", {}, "Numbers"));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(plainTable(table.head, table.rows));
  });
  return details;
}

function isNumber(cell: Child): boolean {
  return typeof cell === "number" || (typeof cell === "string" && /^[−+<>]?[\d.,]+%?$/.test(cell));
}

/// Columns at the places in `wide` are left out on a phone.
export function plainTable(head: string[], rows: Child[][], caption?: string, wide: number[] = []): HTMLElement {
  const classes = (cell: Child, place: number) => [isNumber(cell) ? "number" : "", wide.includes(place) ? "wide" : ""].join(" ").trim() || null;
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption ?? head.join(", ") },
    h("table", {}, h("thead", {}, h("tr", {}, ...head.map((name, place) => h("th", { scope: "col", class: classes(rows[0]?.[place], place) }, name)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, place) => h("td", { class: classes(cell, place) }, cell)))))));
}

export interface Box { left: number; right: number; top: number; bottom: number }

export function xAxis(svg: SVGSVGElement, scale: ScaleContinuousNumeric<number, number>, box: Box,
                      label: string, ticks: number[], text: (x: number) => string): void {
  for (const value of ticks) {
    const x = scale(value);
    svg.append(
      s("line", { class: "tick", x1: x, x2: x, y1: box.bottom, y2: box.bottom + 4 }),
      s("text", { class: "tick-label", x, y: box.bottom + 16, "text-anchor": "middle" }, text(value)));
  }
  svg.append(
    s("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }),
    s("text", { class: "axis-label", x: box.right, y: box.bottom + 33, "text-anchor": "end" }, label));
}

export function yAxis(svg: SVGSVGElement, scale: ScaleContinuousNumeric<number, number>, box: Box,
                      label: string, ticks: number[], text: (y: number) => string): void {
  for (const value of ticks) {
    const y = scale(value);
    svg.append(
      s("line", { class: "grid", x1: box.left, x2: box.right, y1: y, y2: y }),
      s("text", { class: "tick-label", x: box.left - 7, y: y + 4, "text-anchor": "end" }, text(value)));
  }
  svg.append(s("text", { class: "axis-label", x: 0, y: 11, "text-anchor": "start" }, label));
}

/// A legend whose entries hide and show the series they name; `toggle` redraws.
export function legend(names: { name: string; colour: string }[], toggle?: (hidden: Set<string>) => void): HTMLElement {
  const hidden = new Set<string>();
  return h("div", { class: "legend" }, ...names.map(({ name, colour }) => {
    const swatch = h("span", { class: "swatch", css: { background: colour } });
    if (!toggle) return h("span", { class: "entry" }, swatch, name);
    const button = h("button", {
      type: "button", class: "entry", "aria-pressed": "true", click: () => {
        if (!hidden.delete(name)) hidden.add(name);
        button.setAttribute("aria-pressed", String(!hidden.has(name)));
        toggle(hidden);
      },
    }, swatch, name);
    return button;
  }));
}
