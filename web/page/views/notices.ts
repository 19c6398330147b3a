import { button, h } from "../../src/dom.ts";
import { quote } from "../dom.ts";

/** Message above an ask, with what a person can do about it. */
export interface Notice {
  /** A later notice with the same key replaces it. */
  key: string;
  tone: "info" | "warning" | "problem" | "done";
  words: string;
  /** Words of a person or an agent, shown as a quotation. */
  quotation?: string;
  actions?: { label: string; run: () => void }[];
}

/** Messages above an ask. Screen readers read them as they appear; none of them takes the focus. */
export class Notices {
  readonly root = h("div", { class: "notices", role: "status", "aria-live": "polite" });
  readonly #shown = new Map<string, HTMLElement>();

  /** Shows a notice, in place of an older one with its key. */
  show(notice: Notice): void {
    const signature = JSON.stringify([notice.tone, notice.words, notice.quotation]);
    const old = this.#shown.get(notice.key);
    if (old?.dataset.signature === signature) return;
    const element = h("div", { class: `notice ${notice.tone}` }, h("p", {}, notice.words));
    element.dataset.signature = signature;
    if (notice.quotation !== undefined) element.append(quote("blockquote", notice.quotation));
    const actions = notice.actions ?? [];
    if (actions.length > 0) {
      element.append(h("p", { class: "actions" }, ...actions.map(({ label, run }) => button(label, { class: "quiet" }, run))));
    }
    if (old) old.replaceWith(element);
    else this.root.append(element);
    this.#shown.set(notice.key, element);
  }

  /** Removes a notice. */
  hide(key: string): void {
    this.#shown.get(key)?.remove();
    this.#shown.delete(key);
  }
}
