import type { SaysoQuestionnaireElement } from "../../src/api.ts";
import { button, h, set, write } from "../../src/dom.ts";
import { say } from "../words.ts";

/** In a form with more questions the marks follow what is typed after a pause. */
const LONG = 30;
const PAUSE_MS = 200;
/** An outline of so many questions is open from the start. */
const SHORT = 8;
/** Name under which a browser remembers that a phone shows one question a screen. */
const SETTING = "sayso-one-question";

/** Outline of a form: its questions with their marks, and how many are answered. */
export class Outline {
  readonly root = h("nav", { class: "outline", hidden: true, "aria-label": say("PageOutline") });
  readonly #progress = h("span", {});
  readonly #list = h("ol", {});
  readonly #details = h("details", {}, h("summary", {}, this.#progress), this.#list);
  #element: SaysoQuestionnaireElement | undefined;
  #timer = 0;
  #isNew = true;

  /** `onSingle` shows the form again: one question a screen, or all. */
  constructor(onSingle: () => void) {
    const single = h("input", { type: "checkbox" });
    single.checked = isSingle();
    single.addEventListener("change", () => {
      localStorage.setItem(SETTING, single.checked ? "on" : "off");
      onSingle();
    });
    this.root.append(this.#details, h("label", { class: "single" }, single, " ", say("PageOneQuestion")));
  }

  /** Shows the outline of a form, from two questions on. */
  show(element: SaysoQuestionnaireElement | undefined): void {
    clearTimeout(this.#timer);
    this.#element = element;
    this.#write();
  }

  /** Shows the marks as they are now; those of a long form soon. */
  renew(): void {
    clearTimeout(this.#timer);
    if (this.#list.children.length <= LONG) this.#write();
    else this.#timer = window.setTimeout(() => this.#write(), PAUSE_MS);
  }

  #write(): void {
    const element = this.#element;
    const entries = element?.outline ?? [];
    this.root.hidden = entries.length < 2;
    if (!element || this.root.hidden) return;
    if (this.#isNew) this.#details.open = entries.length <= SHORT && !matchMedia("(max-width: 56rem)").matches;
    this.#isNew = false;
    write(this.#progress, say("PageAnsweredOf", entries.filter(({ mark }) => mark === "✓").length, entries.length));
    entries.forEach(({ id, label, mark }, at) => {
      const item = this.#list.children[at] ?? this.#list.appendChild(h("li", {}, button("", { class: "link" }, () => {
        const { question = "" } = (item as HTMLElement).dataset;
        element.focusQuestion(question);
      })));
      (item as HTMLElement).dataset.question = id;
      set(item, { "data-mark": mark });
      const press = item.querySelector("button");
      if (press) write(press, `${mark || "○"} ${label}`);
    });
    while (this.#list.children.length > entries.length) this.#list.lastElementChild?.remove();
  }
}

/** Returns whether this phone shows one question a screen. */
function isSingle(): boolean {
  return localStorage.getItem(SETTING) === "on";
}

/** Returns whether one question a screen is shown here: on a phone by its setting. */
export function hasOneQuestion(): boolean {
  return isSingle() && matchMedia("(max-width: 40rem)").matches;
}
