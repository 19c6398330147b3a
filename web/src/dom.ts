// Elements made by hand. Text becomes a text node; nothing is parsed as HTML.

/** Attributes; false and undefined leave one out, true sets it empty. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** Makes an element. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Sets and removes attributes. */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Writes the text of an element, unless it is there: the same text again would lay the page out. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes a button; it never submits a form around it. */
export function button(label: string, attributes: Attributes, pressed: () => void): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", pressed);
  return element;
}

/** Replaces the children of an element. */
export function fill(element: Element, ...children: (Node | string)[]): void {
  element.replaceChildren(...children);
}
