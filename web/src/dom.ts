// Builds elements from data. Text becomes text nodes and attributes are set one by one,
// never HTML: a feature named <script> is shown, not run. Styles are set through the CSSOM,
// because the content security policy forbids style attributes.

export type Child = Node | string | number | null | undefined | false;
type Handler = (event: any) => void;
export type Attributes = Record<string, string | number | boolean | Handler | Record<string, string> | null | undefined>;

const svgNamespace = "http://www.w3.org/2000/svg";

function fill<E extends Element & ElementCSSInlineStyle>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "object") {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(typeof child === "number" ? String(child) : child);
  }
}

/// Makes an element: h("button", {class: "plain", click: act}, "text"). Functions become
/// event handlers; `css` is an object of style properties.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

let identifiers = 0;
export function newId(prefix: string): string {
  return `${prefix}-${++identifiers}`;
}

/// A labelled <select>. `options` are [value, text].
export function choice(label: string, options: [string, string][], value: string,
                       change: (value: string) => void): HTMLLabelElement {
  const select = h("select", { change: () => change(select.value) },
    ...options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
  return h("label", { class: "field" }, h("span", {}, label), select);
}
