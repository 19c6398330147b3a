// What is wrong, above the form, with a way to each place.
import { button, h } from "../dom.ts";
import type { Say } from "../i18n.ts";
import * as messages from "../messages.ts";

/** One problem, and what leads to it. */
export interface SummaryEntry {
  words: string;
  open: (() => void) | undefined;
}

/** Makes the summary; it can take the focus. */
export function createSummary(entries: readonly SummaryEntry[], say: Say): HTMLElement {
  const count = entries.length;
  const head = h("h2", { id: "summary", tabindex: -1 }, say(count === 1 ? messages.ProblemCountOne : [messages.ProblemCount, count]));
  const items = entries.map(({ words, open }) =>
    h("li", {}, open === undefined ? words : button(words, { class: "jump" }, open)));
  return h("section", { class: "summary", part: "summary", "aria-labelledby": "summary" }, head, h("ul", { dir: "auto" }, ...items));
}
