// The settings tried for each system, the chosen one first.
import { h, type Child } from "../dom.ts";
import { counted, percent, seconds } from "../format.ts";
import { systemColour } from "../theme.ts";
import { plainTable } from "../chart.ts";
import type { Result, System, Trial } from "../result.ts";

function same(trial: Trial, tuned: System["tuned"]): boolean {
  return tuned !== undefined && Object.entries(trial.settings).every(([name, value]) => String(tuned[name]) === String(value));
}

function describe(tuned: System["tuned"]): string {
  return Object.entries(tuned ?? {}).map(([name, value]) => `${name} ${value}`).join(", ") || "as given";
}

function trials(system: System): HTMLElement {
  const all = [...system.tried!];
  const chosen = all.findIndex((trial) => same(trial, system.tuned));
  const rows = all.map((trial, place) => [
    describe(trial.settings),
    trial.log_loss === undefined ? trial.score.toFixed(4) : trial.log_loss.toFixed(4),
    trial.accuracy === undefined ? "–" : percent(trial.accuracy),
    trial.seconds === undefined ? "–" : seconds(trial.seconds),
    place === chosen ? "chosen" : "",
  ]);
  if (chosen > 0) rows.unshift(...rows.splice(chosen, 1));
  return h("details", {}, h("summary", {}, h("span", { class: "system" },
    h("span", { class: "swatch", css: { background: systemColour(system.name) } }), system.name), h("span", { class: "aside" }, `${counted(all.length, "setting")} tried; chosen: ${describe(system.tuned)}`)),
    plainTable(["setting", "log loss", "accuracy", "time", ""], rows, `Settings tried for ${system.name}`, [3]));
}

export function tuningPanel(result: Result): Child[] | undefined {
  const systems = result.systems?.filter((system) => (system.tried?.length ?? 0) > 0) ?? [];
  if (systems.length === 0) return undefined;
  return [h("p", { class: "note" }, "Scores on target rows held out of the training data. The test rows were not used."), ...systems.map(trials)];
}
