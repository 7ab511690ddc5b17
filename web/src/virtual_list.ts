// A list of any length that creates only the visible rows. All rows have the same height.
// The list is a listbox: arrow keys, Page Up and Down, Home and End move the selection.
import { h, newId } from "./dom.ts";

export class VirtualList {
  readonly element: HTMLElement;
  private readonly space = h("div", { class: "space", role: "presentation" });
  private readonly id = newId("row");
  private rows: number[] = [];
  private selected = -1;  // a row, not its index in `rows`

  constructor(label: string, private height: number, private render: (row: number) => Node[], private choose: (row: number) => void) {
    this.element = h("div", {
      class: "list", role: "listbox", tabindex: 0, "aria-label": label,
      scroll: () => this.draw(), keydown: (event: KeyboardEvent) => this.key(event),
    }, this.space);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(rows: number[]): void {
    this.rows = rows;
    this.space.style.setProperty("height", `${rows.length * this.height}px`);
    this.element.scrollTop = 0;
    this.draw();
  }

  /// Redraws the visible rows, for example when their appearance has changed.
  draw(): void {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.height) - 4);
    const last = Math.min(this.rows.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / this.height) + 4);
    const drawn: Node[] = [];
    for (let place = first; place < last; ++place) drawn.push(this.option(place));
    this.space.replaceChildren(...drawn);
    const active = this.rows.indexOf(this.selected);
    if (active >= first && active < last) this.element.setAttribute("aria-activedescendant", `${this.id}-${active}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  select(row: number): void {
    this.selected = row;
    const place = this.rows.indexOf(row);
    if (place >= 0) {
      const top = place * this.height, view = this.element;
      if (top < view.scrollTop) view.scrollTop = top;
      else if (top + this.height > view.scrollTop + view.clientHeight) view.scrollTop = top + this.height - view.clientHeight;
    }
    this.draw();
    this.choose(row);
  }

  private option(place: number): HTMLElement {
    const row = this.rows[place];
    return h("div", {
      class: "option", role: "option", id: `${this.id}-${place}`, "data-row": row,
      "aria-selected": String(row === this.selected), "aria-setsize": this.rows.length, "aria-posinset": place + 1,
      css: { transform: `translateY(${place * this.height}px)`, height: `${this.height}px` }, click: () => this.select(row),
    }, ...this.render(row));
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length };
    const step = steps[event.key];
    if (step === undefined || this.rows.length === 0) return;
    event.preventDefault();
    const place = this.rows.indexOf(this.selected);
    this.select(this.rows[Math.min(this.rows.length - 1, Math.max(0, (place < 0 && step > 0 ? -1 : place) + step))]);
  }
}
