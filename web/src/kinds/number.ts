// A number, in a native box. `step` is a hint for its arrows; nothing is judged by it.
import type { Answer } from "../../../schemas/sayso/request.ts";
import { h } from "../dom.ts";
import type { FormQuestion } from "../form.ts";
import { exactNumber, writeNumber } from "../rules/ordering.ts";
import { boxAttributes, createBox, isBeingTyped } from "./box.ts";
import type { Context, Control, CreateControl } from "./control.ts";

/** Makes the control of a number. */
export const create: CreateControl<FormQuestion> = (question, context) => createNumberBox(question, context, false);

/** Makes a box for a number or for a rating. */
export function createNumberBox(question: FormQuestion, context: Context, isRating: boolean): Control {
  const { min = 1, max = 5, step = "any" } = question;
  const scale = isRating ? { min, max, step: 1 } : { step };
  const input = h("input", { ...boxAttributes(question, context), type: "number", inputmode: "decimal", ...scale });
  // A wheel over a focused box would change the number unasked.
  input.addEventListener("wheel", () => input.blur(), { passive: true });
  const format = {
    read(text: string): Answer | undefined {
      const number = writeNumber(text);
      return number === undefined ? undefined : isRating ? { rating: Number(number) } : { number };
    },
    show(answer: Answer | undefined) {
      const shown = answer === undefined ? "" : String(Object.values(answer)[0]);
      const isSame = exactNumber(input.value) === exactNumber(shown);
      if (!isSame || (exactNumber(shown) === undefined && !isBeingTyped(input))) input.value = shown;
    },
  };
  return createBox(input, context, format, isRating ? h("span", { class: "counter" }, `${min} – ${max}`) : undefined);
}
