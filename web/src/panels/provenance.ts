// Where the results come from, and how to reproduce them.
import { h, type Child } from "../dom.ts";
import type { Result } from "../result.ts";

function command(text: string): HTMLElement {
  const code = h("code", {}, text);
  const button = h("button", { type: "button", class: "quiet", click: copy }, "Copy");
  async function copy() {
    // Some browsers give file:// pages no clipboard; select the text instead.
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(code);
      button.textContent = "Selected";
    }
  }
  return h("div", { class: "command" }, h("pre", { tabindex: 0 }, code), button);
}

export function provenancePanel(result: Result): Child[] | undefined {
  const facts = Object.entries(result.provenance ?? {});
  const commands = result.commands ?? [];
  if (facts.length === 0 && commands.length === 0) return undefined;
  return [
    commands.length > 0 && h("div", {}, h("h3", {}, "Repeat it"), ...commands.map(command)),
    facts.length > 0 && h("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])),
  ];
}
