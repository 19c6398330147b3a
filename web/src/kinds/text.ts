// A text, on one line or several. Every limit is shown, none cuts off what is typed.
import { h, write } from "../dom.ts";
import { boundOf, type FormQuestion } from "../form.ts";
import * as messages from "../messages.ts";
import { lengthOf } from "../rules/text.ts";
import { boxAttributes, createBox } from "./box.ts";
import type { CreateControl } from "./control.ts";

/** Makes the control of a text. */
export const create: CreateControl<FormQuestion> = (question, context) => {
  const attributes = boxAttributes(question, context);
  const input = question.long === true ? h("textarea", { ...attributes, rows: 4 }) : h("input", { ...attributes, type: "text" });
  const counter = h("div", { class: "counter" });
  const most = boundOf(question, "max_length")?.value;
  return createBox(input, context, {
    read: (text) => ({ text }),
    show(answer) {
      const text = answer !== undefined && "text" in answer ? answer.text : "";
      if (input.value !== text) replaceText(input, text);
      if (most === undefined) return;
      const left = Number(most) - lengthOf(context.rules, text);
      const words = left < 0 ? messages.CharactersOver : messages.CharactersLeft;
      write(counter, left <= Number(most) * 0.2 ? context.say([words, Math.abs(left)]) : "");
      counter.classList.toggle("over", left < 0);
    },
  }, counter);
};

/** Sets the text, with the caret at its place. */
function replaceText(input: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const [start, end] = [input.selectionStart, input.selectionEnd];
  input.value = text;
  if (input.matches(":focus")) input.setSelectionRange(start, end);
}
