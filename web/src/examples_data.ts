// The data of the example browser: texts, filters, order.
import type { Examples, Result } from "./result.ts";

export interface Filter {
  words: string;
  system: string;
  outcome: "all" | "right" | "wrong" | "disagree";
  gold: string;  ///< "" for any
  predicted: string;
  gate: "all" | "specific" | "between" | "general";
  order: "row" | "sure" | "unsure" | "general" | "specific";
}

/// False if the gate says nearly the same about all rows, so that there is nothing to see.
export function gateVaries(result: Result): boolean {
  const general = result.rows?.general;
  if (general && general.length > 0) {
    let low = 1, high = 0;
    for (const p of general) {
      low = Math.min(low, p);
      high = Math.max(high, p);
    }
    return high - low > 0.05;
  }
  return (result.gate?.bins.filter((bin) => bin.right + bin.wrong > 0).length ?? 0) > 1;
}

export function exampleText(examples: Examples, row: number): string {
  return examples.text?.[row] || featuresText(examples, row);
}

export function featuresText(examples: Examples, row: number): string {
  const features = examples.active?.[row];
  if (!features || features.length === 0) return "(no features)";
  const values = examples.values?.[row];
  return features.map((id, place) => {
    const name = examples.features[id] || "(bias)";
    return values && values[place] !== 1 ? `${name}=${values[place]}` : name;
  }).join(" ");
}

/// The lower-case text of each row, made when the row is first searched.
export class SearchIndex {
  private texts: string[] = [];
  constructor(private examples: Examples) {}

  has(row: number, words: string[]): boolean {
    this.texts[row] ??= [this.examples.text?.[row] ?? "", featuresText(this.examples, row), this.examples.group?.[row] ?? ""].join(" ").toLowerCase();
    return words.every((word) => this.texts[row].includes(word));
  }
}

function gateMatches(gate: Filter["gate"], general: number | undefined): boolean {
  if (gate === "all" || general === undefined) return true;
  if (gate === "specific") return general < 0.1;
  return gate === "general" ? general > 0.9 : general >= 0.1 && general <= 0.9;
}

function outcomeMatches(examples: Examples, row: number, filter: Filter): boolean {
  if (filter.outcome === "all") return true;
  if (filter.outcome === "disagree") {
    const labels = Object.values(examples.predicted).map((of) => of.label[row]);
    return labels.some((label) => label !== labels[0]);
  }
  const right = examples.predicted[filter.system]?.label[row] === examples.gold[row];
  return right === (filter.outcome === "right");
}

/// Returns the rows that pass the filter, in its order.
export function select(examples: Examples, index: SearchIndex, filter: Filter): number[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  const predictions = examples.predicted[filter.system];
  const gold = examples.labels.indexOf(filter.gold), predicted = examples.labels.indexOf(filter.predicted);
  const rows: number[] = [];
  for (let row = 0; row < examples.gold.length; ++row) {
    if (filter.gold && examples.gold[row] !== gold) continue;
    if (filter.predicted && predictions?.label[row] !== predicted) continue;
    if (!gateMatches(filter.gate, examples.general?.[row])) continue;
    if (!outcomeMatches(examples, row, filter)) continue;
    if (words.length > 0 && !index.has(row, words)) continue;
    rows.push(row);
  }
  const byGate = filter.order === "general" || filter.order === "specific";
  const key = byGate ? examples.general : predictions?.probability;
  if (filter.order === "row" || !key) return rows;
  const sign = filter.order === "sure" || filter.order === "general" ? -1 : 1;
  return rows.sort((a, b) => sign * (key[a] - key[b]) || a - b);
}
