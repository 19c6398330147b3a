// A choice of one among many plain options: a menu.
import { h, set } from "../dom.ts";
import type { FormQuestion } from "../form.ts";
import { plainText } from "../text/markdown.ts";
import { hasOther } from "../rules/judge.ts";
import type { Control, CreateControl } from "./control.ts";
import * as messages from "../messages.ts";

/** Options up to which all are shown at once. */
const SHOWN = 12;
/** Options up to which a menu is short enough to be read; a longer list has a search. */
export const SEARCHED = 30;

/** Returns true if a menu can show a question whole. */
export function isMenu(question: FormQuestion): boolean {
  const isPlain = question.options.every(({ description, preview, recommended }) =>
    description === undefined && preview === undefined && recommended !== true);
  const { length } = question.options;
  return length > SHOWN && length <= SEARCHED && question.multi !== true && !hasOther(question) && !question.consent && question.values.size === 0 && isPlain;
}

/** Makes the menu. Its first entry is no answer. */
export const createMenu: CreateControl<FormQuestion> = (question, context): Control => {
  const labels = question.options.map(({ label }) => plainText(label));
  const entries = labels.map((label, index) => h("option", { value: index }, label));
  const root = h("select", {
    part: "input", id: context.id, "aria-labelledby": context.labelledBy, "aria-describedby": context.describedBy,
  }, h("option", { value: "" }, context.say(messages.ChooseHere)), ...entries);
  root.addEventListener("change", () => {
    const option = question.options[root.selectedIndex - 1];
    context.change(option === undefined ? undefined : { picks: [{ option: option.id }] });
  });
  return {
    root,
    group: undefined,
    show({ reply, locked, invalid, required }) {
      const [pick] = reply.answer !== undefined && "picks" in reply.answer ? reply.answer.picks : [];
      root.selectedIndex = 1 + question.options.findIndex(({ id }) => pick !== undefined && "option" in pick && id === pick.option);
      root.disabled = locked;
      set(root, { "aria-invalid": invalid && "true", "aria-required": required && "true" });
    },
  };
};
