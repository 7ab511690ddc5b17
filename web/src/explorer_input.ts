// What was typed into the explorer, as rows of a request.

export type Reading = "features" | "text" | "json";

export interface RequestRow {
  features?: string[] | Record<string, number>;
  text?: string;
  tokens?: string[];
  domain?: string;
}

// What a row of a JSON Lines file may have that prediction does not take.
const forTraining = ["id", "label", "tags", "weight", "group", "doc"];

/// One row a line. Throws an Error that names the line where JSON cannot be read.
export function readRows(input: string, reading: Reading, domain: string): RequestRow[] {
  const lines = input.split("\n").map((line, place) => ({ text: line.trim(), place })).filter(({ text }) => text !== "");
  return lines.map(({ text, place }) => {
    const row = reading === "text" ? { text } : reading === "features" ? { features: text.split(/\s+/) } : readJson(text, place);
    return domain === "" || row.domain !== undefined ? row : { ...row, domain };
  });
}

// A row of a JSON Lines file may be pasted as it is.
function readJson(text: string, place: number): RequestRow {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(text)).filter(([name]) => !forTraining.includes(name)));
  } catch (error) {
    throw new Error(`line ${place + 1} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
