// One tooltip for all charts; its text is also the accessible name of the mark.
import { h } from "./dom.ts";

let bubble: HTMLElement | undefined;

function show(text: string, x: number, y: number) {
  if (!bubble) {
    bubble = h("div", { class: "tooltip", "aria-hidden": "true" });
    document.body.append(bubble);
  }
  bubble.textContent = text;
  bubble.hidden = false;
  const width = bubble.offsetWidth, height = bubble.offsetHeight;
  const left = Math.min(Math.max(8, x + 12), innerWidth - width - 8);
  const above = y - height - 12;
  bubble.style.setProperty("left", `${left}px`);
  bubble.style.setProperty("top", `${above > 8 ? above : y + 16}px`);
}

export function tip<E extends Element>(mark: E, text: string): E {
  mark.addEventListener("pointermove", (event) => {
    const at = event as PointerEvent;
    show(text, at.clientX, at.clientY);
  });
  mark.addEventListener("pointerleave", () => { if (bubble) bubble.hidden = true; });
  return mark;
}
