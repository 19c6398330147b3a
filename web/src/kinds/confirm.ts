// Yes or no, in our own words first, with the asker's label as a quotation. Neither is picked for a person.
import { h } from "../dom.ts";
import { suggestsConfirm, type FormQuestion } from "../form.ts";
import { askerConfirmLabel } from "../text/describe.ts";
import type { Control, CreateControl } from "./control.ts";
import * as messages from "../messages.ts";

/** Makes the control of a confirmation. */
export const create: CreateControl<FormQuestion> = (question, context): Control => {
  const { say, id } = context;
  const choices = [true, false].map((yes) => {
    const input = h("input", { type: "radio", name: id, id: `${id}-${yes}` });
    input.addEventListener("change", () => context.change({ confirm: yes }));
    const words = h("span", { class: "words name" }, h("strong", {}, say([yes ? messages.Yes : messages.No])));
    const label = askerConfirmLabel(question, yes, say);
    if (label !== undefined) words.append(" ", h("span", { class: "quote" }, say([messages.QuotedLabel, label])));
    if (suggestsConfirm(question, yes)) words.append(" ", h("span", { class: "badge" }, say(messages.Suggested)));
    return { yes, input, row: h("div", { class: "option", part: "option" }, h("label", { for: input.id }, input, words)) };
  });
  return {
    root: h("div", { class: "options pair" }, ...choices.map(({ row }) => row)),
    group: "radiogroup",
    show({ reply, locked }) {
      const confirmed = reply.answer !== undefined && "confirm" in reply.answer ? reply.answer.confirm : undefined;
      for (const { yes, input } of choices) {
        input.checked = confirmed === yes;
        input.disabled = locked;
      }
    },
  };
};
