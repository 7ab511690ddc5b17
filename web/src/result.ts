// RESULT.json as docs/report.md describes it: the output of `compare --json` and `curve
// --json`, and what the report adds. Every part is optional; its panel is then left out.

export interface Explanation {
  label: string;
  probability: number;
  probabilities: Probabilities;
  general?: number;
  previous?: string;  ///< for a tagger, the previous tag
  against?: string;
  domain?: string;
  unseen?: string[];
  model: Component;
}

/// By label; the report writes a list in the order of its labels to save space.
export type Probabilities = Record<string, number> | number[];

/// The report writes [feature id, contribution] or [id, contribution, value] to save space.
export type Term = { feature: string; value?: number; contribution: number } | [number, number, number?];

export interface Terms {
  contributions?: Term[];
  omitted?: { features: number; contribution: number };
}

export interface Component extends Terms {
  name: string;
  kind: string;
  weight: number;
  probabilities: Probabilities;
  log_odds: number;
  gate?: Terms & { general: number; log_odds: number; intercept: number };
  components?: Component[];
  sources?: Component[];
}

export interface Bin {
  from: number;
  to: number;
  count: number;
  confidence: number;
  accuracy: number;
}

export interface Trial {
  settings: Record<string, string | number>;
  score: number;
  log_loss?: number;
  accuracy?: number;
  f1?: number;
  seconds?: number;
}

export type Confusion = Record<string, Record<string, number>>;

export interface System {
  name: string;
  summary?: string;  ///< what it learns from, in a few words
  accuracy: number;
  log_loss: number;
  f1?: number;
  interval?: [number, number];
  span_interval?: [number, number];  ///< of f1, if tags mark spans
  error_reduction?: number;
  tuned?: Record<string, string | number>;
  tried?: Trial[];
  seconds?: number;
  confusion?: Confusion;
  reliability?: { bins: Bin[]; calibration_error: number };
}

export interface Pair {
  a: string;
  b: string;
  discordant: [number, number];
  p: number;
  p_holm: number;
  difference?: number;
  interval?: [number, number];
}

export interface CurvePoint {
  examples: number;
  mean: number;
  low: number;
  high: number;
  log_loss?: number;
  log_loss_low?: number;
  log_loss_high?: number;
  f1?: number;
  f1_low?: number;
  f1_high?: number;
}

export interface Curve {
  name: string;
  points?: CurvePoint[];
  left_out?: string;
}

export interface Step {
  round: number;
  step: string;
  objective: number;
  bound?: number;
  general_share: Record<string, number>;
  seconds?: number;
}

/// The output of `relate --json`.
export interface Relatedness {
  domains: Record<string, { examples: number; features: number; general_share: number | null }>;
  smoothing?: number;
  kl?: Record<string, Record<string, number>>;
  jensen_shannon?: Record<string, Record<string, number>>;
  auc?: Record<string, Record<string, number | null>>;
  separators?: { a: string; b: string; features: { feature: string; information: number; share: Record<string, number> }[] }[];
}

export interface Examples {
  of: number;  ///< number of test rows; fewer may be listed
  note?: string;
  labels: string[];
  features: string[];
  row?: number[];  ///< index of each among the test rows, if only some are listed
  gold: number[];
  text?: string[];
  active?: number[][];  ///< ids of features
  values?: (number[] | null)[];
  group?: (string | null)[];
  general?: number[];
  general_system?: string;
  predicted: Record<string, { label: number[]; probability: number[] }>;
  explained?: string;
  explanations?: (Explanation | null)[];
}

export interface GateShares {
  system: string;
  bins: { from: number; to: number; right: number; wrong: number }[];
  share?: number;
}

export interface DomainCard {
  name: string;
  part?: string;
  examples: number;
  labels: Record<string, number>;
  groups?: number;
  duplicates?: number;
  features_per_example?: number;
  files?: { file: string; sha256?: string; rows: number }[];
}

export interface DataCard {
  target?: string;
  features?: number;
  domains: DomainCard[];
  notes?: string[];
}

export interface Result {
  title?: string;
  target?: string;
  systems?: System[];
  pairs?: Pair[];
  left_out?: { name: string; reason: string }[];
  best?: string;
  rank?: "accuracy" | "f1" | "log-loss";  ///< by which `best` is best
  verdict?: string;
  evidence?: string[];  ///< sentences below the verdict
  examples?: number;  ///< test rows
  complete?: boolean;
  curves?: Curve[];
  examples_tested?: number;  ///< of curves, like reference and enough
  reference?: number;
  enough?: number | null;
  trace?: { system: string; steps: Step[] };
  gate?: GateShares;
  relatedness?: Relatedness;
  rows?: Examples;
  data?: DataCard;
  provenance?: Record<string, string | number>;
  commands?: string[];
}
