// Converts the explorer's input to rows of a request.

export type Reading = "features" | "text" | "json";

export interface RequestRow {
  features?: string[] | Record<string, number>;
  text?: string;
  tokens?: string[];
  domain?: string;
}

// Fields of a JSON Lines file that prediction does not take.
const forTraining = ["id", "label", "tags", "weight", "group", "doc"];

/// Reads one row per line. Throws an Error with the line number for invalid JSON.
export function readRows(input: string, reading: Reading, domain: string): RequestRow[] {
  const lines = input.split("\n").map((line, place) => ({ text: line.trim(), place })).filter(({ text }) => text !== "");
  return lines.map(({ text, place }) => {
    const row = reading === "text" ? { text } : reading === "features" ? { features: text.split(/\s+/) } : readJson(text, place);
    return domain === "" || row.domain !== undefined ? row : { ...row, domain };
  });
}

// A row of a JSON Lines file may be pasted unchanged.
function readJson(text: string, place: number): RequestRow {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(text)).filter(([name]) => !forTraining.includes(name)));
  } catch (error) {
    throw new Error(`line ${place + 1} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
