// The steps of a form with sections.
import { button, fill, h } from "../dom.ts";
import type { Say } from "../i18n.ts";
import * as messages from "../messages.ts";

/** One step of the list. */
export interface StepEntry {
  name: string;
  /** Answered, or wrong. */
  mark: "" | "✓" | "!" | "–";
}

/** Fills the list of steps. */
export function showSteps(nav: HTMLElement, entries: readonly StepEntry[], current: number, say: Say, go: (step: number) => void): void {
  const item = ({ name, mark }: StepEntry, index: number) => {
    const step = button("", { "aria-current": index === current && "step" }, () => go(index));
    step.append(h("span", { class: "mark" }, mark === "" ? String(index + 1) : mark), h("span", { dir: "auto" }, name));
    return h("li", {}, step);
  };
  const count = h("p", { class: "count" }, say([messages.StepOf, current + 1, entries.length]));
  fill(nav, count, h("ol", {}, ...entries.map(item)));
}
