// Yes or no, in our own words first, with the asker's label as a quotation. Neither is picked for a person.
import { h, set } from "../dom.ts";
import { suggestsConfirm, type FormQuestion } from "../form.ts";
import { askerConfirmLabel } from "../text/describe.ts";
import type { Context, Control, CreateControl } from "./control.ts";
import type { Say } from "../i18n.ts";
import * as messages from "../messages.ts";

/** Makes the control of a confirmation. */
export const create: CreateControl<FormQuestion> = (question, context): Control => {
  const { say, id, isPermission } = context;
  if (!question.consent && context.rules.must_be_true === true) return createCheckbox(context);
  if (isPermission) return { root: askerLabels(question, say), group: undefined, show() {} };
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

/** Returns what the asker calls the yes and the no that the form's own buttons give. */
function askerLabels(question: FormQuestion, say: Say): HTMLElement {
  const lines = [true, false].flatMap((yes) => {
    const label = askerConfirmLabel(question, yes, say);
    const badge = suggestsConfirm(question, yes) ? [" ", h("span", { class: "badge" }, say(messages.Suggested))] : [];
    if (label === undefined && badge.length === 0) return [];
    const quote = label === undefined ? [] : [" ", h("span", { class: "quote" }, say([messages.QuotedLabel, label]))];
    return [h("div", {}, h("strong", {}, say([yes ? messages.ApproveLabel : messages.DeclineButton])), ...quote, ...badge)];
  });
  return h("div", { class: "legend" }, ...lines);
}

/** Makes a box to tick, where a format has a boolean: untouched, it is no answer. */
function createCheckbox({ say, id, change }: Context): Control {
  const input = h("input", { type: "checkbox", id });
  input.addEventListener("change", () => change({ confirm: input.checked }));
  return {
    root: h("div", { class: "option", part: "option" }, h("label", { for: id }, input, h("span", { class: "words name" }, say(messages.Yes)))),
    group: "group",
    show({ reply, locked, invalid }) {
      input.checked = reply.answer !== undefined && "confirm" in reply.answer && reply.answer.confirm;
      input.disabled = locked;
      set(input, { "aria-invalid": invalid && "true" });
    },
  };
}
