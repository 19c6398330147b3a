import { h } from "../src/dom.ts";
import { escapeLines } from "../src/text/display.ts";

/** Creates an element for text of an asker or a person: escaped, and its direction follows its own letters. */
export function quote<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  className = "",
): HTMLElementTagNameMap[Name] {
  return h(name, { class: className || undefined, dir: "auto" }, visible(text));
}

/** Returns text of an asker with everything that is invisible or misleading shown as a token. */
export function visible(text: string): string {
  return escapeLines(text).join("\n");
}

/** Returns the element of the page with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

/** Returns once what was drawn is on the screen, or soon: a page that is hidden paints nothing. */
export function painted(): Promise<void> {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 200);
  });
}
