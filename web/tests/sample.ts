// A synthetic result of any size with every part of docs/report.md. The same seed gives the
// same result.
import type { Component, Examples, Explanation, Result, Step, System, Term } from "../src/result.ts";

/// Random numbers in [0, 1), so that samples do not depend on Math.random.
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const accuracies: Record<string, number> = {
  onlyo: 0.749, onlyi: 0.754, lini: 0.772, mix: 0.783, mixw: 0.791, feats: 0.771, prior: 0.781, easyadapt: 0.797, megam: 0.792, pool: 0.801, stack: 0.799,
};
const labels = ["negative", "positive"];
const words = "the and it is not very good great bad broken battery cook pan knife story plot book read time money use easy clean coffee works love waste return cheap heavy small quality".split(" ");

function systems(rows: number): System[] {
  return Object.entries(accuracies).map(([name, accuracy], place) => {
    const right = Math.round(0.5 * accuracy * rows), half = Math.round(0.5 * rows);
    return {
      name, accuracy, log_loss: 1.28 - 1.05 * accuracy, f1: accuracy - 0.001, interval: [accuracy - 0.019, accuracy + 0.018],
      error_reduction: (0.801 - accuracy) / (1 - accuracy), tuned: { variance: [0.03, 0.1, 0.3, 1][place % 4] }, seconds: 0.4 + 0.3 * place,
      tried: [0.03, 0.1, 0.3, 1].map((variance, at) => ({ settings: { variance }, score: 0.45 + 0.02 * Math.abs(at - place % 4), log_loss: 0.45 + 0.02 * Math.abs(at - place % 4), accuracy: accuracy - 0.01 * Math.abs(at - place % 4), seconds: 0.05 })),
      confusion: { negative: { negative: right, positive: half - right }, positive: { negative: half - right, positive: right } },
      reliability: {
        calibration_error: 0.02 + 0.005 * (place % 5),
        bins: [0.5, 0.6, 0.7, 0.8, 0.9].map((from, at) => ({ from, to: from + 0.1, count: 100 + 120 * at, confidence: from + 0.05, accuracy: Math.min(1, from + 0.05 + 0.06 * (at % 2 ? -1 : 0.3)) })),
      },
    };
  });
}

function pairs(all: System[]): Result["pairs"] {
  return all.flatMap((a, i) => all.slice(i + 1).map((b) => {
    const gap = Math.abs(a.accuracy - b.accuracy);
    const p = Math.exp(-2000 * gap * gap);
    return { a: a.name, b: b.name, discordant: [100 + Math.round(900 * a.accuracy - 600), 100 + Math.round(900 * b.accuracy - 600)] as [number, number], p, p_holm: Math.min(1, 10 * p), difference: a.accuracy - b.accuracy };
  }));
}

function trace(): Step[] {
  const steps: Step[] = [];
  let objective = -1500, share = 0.5;
  for (let round = 1; round <= 5; ++round) {
    for (const step of ["e", "pi", "lambda", "psi"]) {
      if (step !== "e") objective += 320 / (round * round);
      if (step === "pi") share += (0.83 - share) / 2;
      steps.push({ round, step, objective, bound: 1, general_share: { books: 0.5 + 0.9 * (share - 0.5), kitchen: share }, seconds: 0.1 });
    }
  }
  return steps;
}

// Terms that add up to `total`, together with the omitted ones.
function terms(ids: number[], random: () => number, total: number): { contributions: Term[]; omitted: { features: number; contribution: number } } {
  const contributions = ids.slice(0, 10).map((id): Term => [id, (random() - 0.5) * 1.6])
    .sort((a, b) => Math.abs((b as number[])[1]) - Math.abs((a as number[])[1]));
  const sum = contributions.reduce((before, term) => before + (term as number[])[1], 0);
  return { contributions, omitted: { features: 17, contribution: total - sum } };
}

function explanation(ids: number[], label: string, p: number, general: number, random: () => number): Explanation {
  const against = label === "positive" ? "negative" : "positive";
  const linear = (name: string, weight: number, own: number): Component => ({
    name, kind: "maxent", weight, probabilities: { [label]: own, [against]: 1 - own }, log_odds: Math.log(own / (1 - own)), ...terms(ids, random, Math.log(own / (1 - own))),
  });
  const odds = Math.log(general / (1 - general));
  return {
    label, probability: p, probabilities: { [label]: p, [against]: 1 - p }, general, against, domain: "kitchen", unseen: [],
    model: {
      name: "pool", kind: "mixture", weight: 1, probabilities: { [label]: p, [against]: 1 - p }, log_odds: Math.log(p / (1 - p)),
      gate: { general, log_odds: odds, intercept: 0.4, ...terms(ids, random, odds - 0.4) },
      components: [linear("general", general, p), linear("kitchen", 1 - general, Math.min(0.99, p + 0.05))],
    },
  };
}

function examples(rows: number, hostile: string[]): Examples {
  const random = generator(7);
  const features = [...hostile, ...words];
  const made: Examples = {
    of: rows, labels, features, gold: [], active: [], general: [], general_system: "megam", explained: "pool", explanations: [],
    predicted: Object.fromEntries(Object.keys(accuracies).map((name) => [name, { label: [], probability: [] }])),
  };
  for (let row = 0; row < rows; ++row) {
    const gold = random() < 0.5 ? 1 : 0;
    const ids = features.map((_, id) => id).filter((id) => random() < 0.5 || id < hostile.length);
    const general = Math.min(0.999, Math.max(0.001, random() ** 0.4));
    for (const [name, accuracy] of Object.entries(accuracies)) {
      made.predicted[name].label.push(random() < accuracy ? gold : 1 - gold);
      made.predicted[name].probability.push(0.5 + 0.499 * random() ** 0.5);
    }
    const { label, probability } = made.predicted.pool;
    made.gold.push(gold);
    made.active!.push(ids);
    made.general!.push(general);
    made.explanations!.push(explanation(ids, labels[label[row]], probability[row], general, random));
  }
  return made;
}

function gateBins(made: Examples): Result["gate"] {
  const bins = Array.from({ length: 20 }, (_, at) => ({ from: at / 20, to: (at + 1) / 20, right: 0, wrong: 0 }));
  made.gold.forEach((gold, row) => {
    const bin = bins[Math.min(19, Math.floor(20 * made.general![row]))];
    if (made.predicted.megam.label[row] === gold) ++bin.right;
    else ++bin.wrong;
  });
  return { system: "megam", bins, share: 0.83 };
}

export function sampleResult(rows = 400, hostile: string[] = []): Result {
  const all = systems(rows);
  const listed = examples(rows, hostile);
  const sizes = [10, 20, 40, 80, 160, 200];
  return {
    title: "books → kitchen", best: "pool",
    verdict: "Use pool: it labels 80.1% of kitchen rows right, 4.7 points more than onlyi (p < 0.001), but easyadapt, stack, megam and mixw do not differ from it by more than chance.",
    systems: all, pairs: pairs(all), examples: rows, complete: true, rows: listed, gate: gateBins(listed),
    curves: ["onlyi", "mix", "mixw", "pool"].map((name, place) => ({
      name, points: sizes.map((size) => {
        const mean = accuracies[name] - (place === 0 ? 0.16 : 0.045) * (1 - Math.log(size) / Math.log(200));
        return { examples: size, mean, low: mean - 0.35 / (size + 20), high: mean + 0.35 / (size + 20), log_loss: 1.28 - 1.05 * mean, log_loss_low: 1.26 - 1.05 * mean, log_loss_high: 1.3 - 1.05 * mean };
      }),
    })),
    trace: { system: "megam", steps: trace() },
    relatedness: {
      domains: { books: { examples: 1956, features: 41020, general_share: 0.8 }, kitchen: { examples: 200, features: 9100, general_share: 0.83 } }, smoothing: 0.1,
      auc: { books: { kitchen: 0.97 }, kitchen: { books: 0.97 } }, kl: { books: { kitchen: 0.62 }, kitchen: { books: 0.48 } }, jensen_shannon: { books: { kitchen: 0.31 }, kitchen: { books: 0.31 } },
      separators: [{ a: "kitchen", b: "books", features: ([["book", 0.02, 0.71], ["read", 0.05, 0.55], ["pan", 0.24, 0.001], ["cook", 0.19, 0.01], ["coffee", 0.13, 0.004]] as [string, number, number][]).map(([feature, kitchen, books], at) => ({ feature, information: 0.3 / (at + 1), share: { kitchen, books } })) }],
    },
    data: {
      target: "kitchen", features: 44021, domains: [
        { name: "books", part: "training", examples: 1956, labels: { negative: 963, positive: 993 }, duplicates: 3, features_per_example: 194.3, files: [{ file: "out.train.txt.gz", rows: 1956, sha256: "9f".repeat(32) }] },
        { name: "kitchen", part: "training", examples: 200, labels: { negative: 100, positive: 100 }, duplicates: 0, features_per_example: 117.9, files: [{ file: "in.train.txt.gz", rows: 200, sha256: "3c".repeat(32) }] },
        { name: "kitchen", part: "test", examples: rows, labels: { negative: rows / 2, positive: rows / 2 }, duplicates: 1, features_per_example: 102 },
      ],
    },
    provenance: { "made by": "megadapt 0.1.0", seed: 1 },
    commands: ["megadapt compare --domain books=out.train.txt.gz --domain kitchen=in.train.txt.gz --target kitchen --test in.test.txt.gz --seed 1 --report report.html"],
  };
}
