// Numbers as text for readers.
import { format } from "d3-format";

const grouped = format(",");
const threeDigits = format(".3~g");

export function count(n: number): string {
  return grouped(n);
}

export function counted(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/// 0.784 -> "78.4%".
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)}%`;
}

/// Percentage points with a sign: 0.021 -> "+2.1".
export function points(share: number): string {
  return signed(100 * share, 1);
}

export function signed(x: number, digits: number): string {
  const text = Math.abs(x).toFixed(digits);
  return (x < 0 && Number(text) !== 0 ? "−" : "+") + text;
}

/// Probabilities near 0 and 1 are not rounded to 0% or 100%: "<0.1%", ">99.9%".
export function probability(p: number): string {
  if (p > 0 && p < 0.0005) return "<0.1%";
  if (p < 1 && p > 0.9995) return ">99.9%";
  return percent(p);
}

export function pValue(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
}

export function short(x: number): string {
  return Number.isInteger(x) && Math.abs(x) < 1e6 ? grouped(x) : threeDigits(x);
}

export function seconds(x: number): string {
  if (x < 0.001) return "<1 ms";
  if (x < 1) return `${Math.round(1000 * x)} ms`;
  if (x < 100) return `${x.toFixed(1)} s`;
  return `${Math.floor(x / 60)} min ${Math.round(x % 60)} s`;
}
