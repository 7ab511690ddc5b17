// Light or dark: the system's choice until the reader decides. style.css reads data-theme.
import { h } from "./dom.ts";

const root = document.documentElement;
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

export function themeToggle(): HTMLElement {
  const button = h("button", { type: "button", class: "quiet" });
  const set = (dark: boolean) => {
    root.dataset.theme = dark ? "dark" : "light";
    button.textContent = dark ? "☀ Light" : "☾ Dark";
    button.setAttribute("aria-label", dark ? "Switch to light colours" : "Switch to dark colours");
  };
  const follow = () => set(systemIsDark.matches);
  follow();
  systemIsDark.addEventListener("change", follow);
  button.addEventListener("click", () => {
    systemIsDark.removeEventListener("change", follow);
    set(root.dataset.theme !== "dark");
  });
  return button;
}

const systems = ["onlyo", "onlyi", "lini", "mix", "mixw", "feats", "prior", "easyadapt", "megam", "pool", "stack"];

/// One colour per system, the same in every chart; style.css defines --s0 ... --s10.
export function systemColour(name: string): string {
  const place = systems.indexOf(name);
  if (place >= 0) return `var(--s${place})`;
  let sum = 0;
  for (const letter of name) sum = (31 * sum + letter.codePointAt(0)!) % 9973;
  return `var(--s${sum % 11})`;
}
