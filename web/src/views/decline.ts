// Declining: never at once, never by a key alone, with room for a reason.
import { button, h } from "../dom.ts";
import type { Say } from "../i18n.ts";
import * as messages from "../messages.ts";

/** The panel that asks whether to decline. */
export interface DeclinePanel {
  root: HTMLElement;
  open(opener: HTMLElement): void;
}

/** Makes the panel. */
export function createDecline(say: Say, decline: (reason: string) => void): DeclinePanel {
  const reason = h("textarea", { rows: 2, id: "reason", part: "input", dir: "auto" });
  let back: HTMLElement | undefined;
  const close = () => {
    root.hidden = true;
    back?.focus();
  };
  const root = h("section", { class: "decline", role: "group", "aria-labelledby": "decline", hidden: true },
    h("h2", { id: "decline" }, say(messages.DeclineTitle)),
    h("p", {}, say(messages.DeclineTells)),
    h("label", { for: "reason" }, say(messages.DeclineReasonLabel)), reason,
    h("div", { class: "buttons" },
      button(say(messages.KeepAnswering), { class: "primary" }, close),
      button(say(messages.DeclineNow), {}, () => decline(reason.value.trim()))));
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  return {
    root,
    open(opener) {
      back = opener;
      root.hidden = false;
      reason.focus();
    },
  };
}
