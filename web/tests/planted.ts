// Synthetic reviews of two domains as JSON Lines. Shared words predict the label in both,
// some words predict opposite labels in the two, and some names try to become HTML.

export const hostile = ["<script>alert(1)</script>", "</script><script>alert(2)</script>", "<img src=x onerror=alert(3)>", "<!--<script>", "\"'`${alert(4)}"];

export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {  // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const shared = { good: ["great", "love", "perfect", "happy"], bad: ["awful", "broken", "refund", "poor"] };
const twisted = ["thin", "quiet", "plain", "light"];

export function reviews(rows: number, domain: "books" | "phones", seed: number): string {
  const random = randomNumbers(seed);
  const pick = <T>(from: T[]): T => from[Math.floor(random() * from.length)];
  return Array.from({ length: rows }, (_, n) => {
    const good = random() < 0.5;
    const label = good ? "good" : "bad";
    const features = new Set<string>();
    for (let word = 0; word < 2; ++word) features.add(pick(shared[random() < 0.7 ? label : good ? "bad" : "good"]));
    if ((domain === "phones") === good || random() < 0.25) features.add(pick(twisted));
    for (let word = 0; word < 3; ++word) features.add(`${domain}${Math.floor(random() * 30)}`);
    if (random() < 0.1) features.add(pick(hostile));
    return `${JSON.stringify({ label, features: [...features], group: `author ${n % 25}` })}\n`;
  }).join("");
}

/// Tagged sentences, one token and its tag per line.
export function tagged(sentences: number, seed: number): string {
  const random = randomNumbers(seed);
  const words = { DET: ["the", "a", "this"], NOUN: ["dog", "cat", "light", "walk"], VERB: ["sees", "bites", "light", "walk"] };
  const tags = ["DET", "NOUN", "VERB", "DET", "NOUN"] as const;
  return Array.from({ length: sentences }, () => `${tags.map((tag) =>
    `${words[tag][Math.floor(random() * words[tag].length)]}\t${tag}\n`).join("")}\n`).join("");
}
