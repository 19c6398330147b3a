import { button, h } from "../../src/dom.ts";
import { say } from "../words.ts";

/** Asks whether to decline, and for a reason. Escape and the first button keep answering. */
export function askToDecline(agent: string): Promise<{ reason: string } | undefined> {
  return new Promise((done) => {
    const reason = h("textarea", { rows: 3, id: "decline-reason" });
    const dialog = h("dialog", { class: "dialog" });
    const heading = h("h2", { id: "decline-title" }, say("DeclineTitle"));
    dialog.setAttribute("aria-labelledby", heading.id);
    const finish = (result: { reason: string } | undefined) => {
      dialog.close();
      dialog.remove();
      done(result);
    };
    const keep = button(say("KeepAnswering"), { class: "primary" }, () => finish(undefined));
    const decline = button(say("DeclineNow"), { class: "danger" }, () => finish({ reason: reason.value.trim() }));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      finish(undefined);
    });
    dialog.append(
      heading,
      h("p", {}, say("DeclineSays", agent)),
      h("label", { for: reason.id }, say("DeclineReason")),
      reason,
      h("p", { class: "actions" }, keep, decline),
    );
    document.body.append(dialog);
    dialog.showModal();
    reason.focus();
  });
}
