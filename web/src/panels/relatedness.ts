// How related the domains are: pi, divergence, domain classifier, separating features.
import { extent, max } from "d3-array";
import { h, type Child } from "../dom.ts";
import { percent, points } from "../format.ts";
import { bars } from "../bars.ts";
import type { Relatedness, Result } from "../result.ts";

function grid(title: string, note: string, domains: string[], cells: Record<string, Record<string, number | null>>, text: (x: number) => string): Child {
  const largest = max(domains.flatMap((a) => domains.map((b) => (a === b ? 0 : cells[a]?.[b] ?? 0)))) || 1;
  return h("div", {}, h("h3", {}, title), h("p", { class: "note" }, note),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
      h("table", { class: "heat" }, h("thead", {}, h("tr", {}, h("td"), ...domains.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...domains.map((a) => h("tr", {}, h("th", { scope: "row" }, a), ...domains.map((b) => {
          const value = cells[a]?.[b];
          if (a === b || value === undefined || value === null) return h("td", { class: "empty" }, "–");
          return h("td", { css: { "--share": String(Math.round(60 * value / largest)) } }, text(value));
        })))))));
}

// Compares how often rows of each domain have a feature.
function separatorTable({ a, b, features }: NonNullable<Relatedness["separators"]>[number]): Child {
  return h("div", {}, h("h3", {}, `What tells ${a} from ${b}`),
    h("p", { class: "note" }, `How much more often a row of ${a} (right) or of ${b} (left) has the feature, in percentage points; the most telling first.`),
    bars(features.map(({ feature, information, share }) => {
      const value = share[a] - share[b];
      return { name: feature, value, text: points(value), title: `${percent(share[a])} of ${a}, ${percent(share[b])} of ${b}; ${information.toFixed(3)} bits` };
    })));
}

export function relatednessPanel(result: Result): Child[] | undefined {
  const relatedness: Relatedness | undefined = result.relatedness;
  const domains = Object.keys(relatedness?.domains ?? {});
  if (!relatedness || domains.length < 2) return undefined;
  const { kl, jensen_shannon, auc, separators, smoothing } = relatedness;
  const knowsAuc = Object.values(auc ?? {}).some((row) => Object.values(row).some((x) => x !== null));
  // If a compared system has shares of its own, another panel shows them; a second figure
  // here would contradict them.
  const shown = result.gate !== undefined || result.trace !== undefined;
  const known = Object.entries(relatedness.domains).filter(([, domain]) => typeof domain.general_share === "number");
  // Bars of equal length would say nothing.
  const [low, high] = extent(known, ([, domain]) => domain.general_share!);
  const shares = shown || (high ?? 0) - (low ?? 0) < 0.01 ? [] : known;
  return [
    h("div", { class: "pair-of-charts" },
      shares.length > 0 && h("div", {}, h("h3", {}, "Share that is general (π)"),
        h("p", { class: "note" }, "What a mixture took to be common to all domains. The larger, the less a domain needs of its own."),
        bars(shares.map(([name, domain]) => ({ name, value: domain.general_share!, text: percent(domain.general_share!) })), 1)),
      knowsAuc && grid("Domain classifier, AUC", "How well a classifier tells the rows of two domains apart. 50%: not at all; 100%: always.", domains, auc!, (x) => percent(x)),
      kl && grid("KL divergence, nats", `How far the feature frequencies of the row's domain are from those of the column's${smoothing === undefined ? "" : `, ${smoothing} added to every count`}. 0: the same.`, domains, kl, (x) => x.toFixed(3)),
      jensen_shannon && grid("Jensen-Shannon divergence, bits", "0: the same frequencies; 1: no feature in common.", domains, jensen_shannon, (x) => x.toFixed(3))),
    ...(separators ?? []).map(separatorTable),
  ];
}
