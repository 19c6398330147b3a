// A text, on one line or several.
import { escapeLine } from "../display.ts";
import { h, set } from "../dom.ts";
import { boundOf, type FormQuestion } from "../form.ts";
import { lengthOf } from "../rules/text.ts";
import type { Control, CreateControl } from "./control.ts";
import * as messages from "../messages.ts";

/** Makes the control of a text. Every limit is shown, none cuts off what is typed. */
export const create: CreateControl<FormQuestion> = (question, context): Control => {
  const attributes = {
    part: "input",
    id: context.id,
    dir: "auto",
    autocomplete: "off",
    placeholder: question.placeholder === undefined ? undefined : escapeLine(question.placeholder),
    "aria-labelledby": context.labelledBy,
    "aria-describedby": context.describedBy,
  };
  const input = question.long === true ? h("textarea", { ...attributes, rows: 4 }) : h("input", { ...attributes, type: "text" });
  const counter = h("div", { class: "counter" });
  const most = Number(boundOf(question, "max_length")?.value ?? Number.POSITIVE_INFINITY);
  const count = () => {
    if (most === Number.POSITIVE_INFINITY) return;
    const left = most - lengthOf(context.rules, input.value);
    counter.textContent = left <= most * 0.2 ? context.say([messages.CharactersLeft, left]) : "";
    counter.classList.toggle("over", left < 0);
  };
  input.addEventListener("input", () => {
    context.change(input.value === "" ? undefined : { text: input.value });
  });
  return {
    root: h("div", {}, input, counter),
    group: undefined,
    show({ reply, locked, invalid, required }) {
      const text = reply.answer !== undefined && "text" in reply.answer ? reply.answer.text : "";
      if (input.value !== text) replaceText(input, text);
      input.readOnly = locked;
      set(input, { "aria-invalid": invalid && "true", "aria-required": required && "true" });
      count();
    },
  };
};

/** Sets the text, with the caret at its place. */
function replaceText(input: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const [start, end] = [input.selectionStart, input.selectionEnd];
  input.value = text;
  if (input.matches(":focus")) input.setSelectionRange(start, end);
}
