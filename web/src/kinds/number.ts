// A number, in a native box. `step` is a hint for its arrows; nothing is judged by it.
import { escapeLine } from "../display.ts";
import { h, set } from "../dom.ts";
import type { FormQuestion } from "../form.ts";
import { parseDecimal, writeNumber } from "../rules/ordering.ts";
import type { Context, Control, CreateControl } from "./control.ts";

/** Makes the control of a number. */
export const create: CreateControl<FormQuestion> = (question, context): Control =>
  createNumberBox(question, context, "number");

/** Makes a box for a number or for a rating. */
export function createNumberBox(question: FormQuestion, context: Context, kind: "number" | "rating"): Control {
  const { min = 1, max = 5 } = question;
  const scale = kind === "rating" ? { min, max, step: 1 } : { step: question.step ?? "any" };
  const input = h("input", {
    type: "number", part: "input", id: context.id, inputmode: "decimal", autocomplete: "off", ...scale,
    placeholder: question.placeholder === undefined ? undefined : escapeLine(question.placeholder),
    "aria-labelledby": context.labelledBy, "aria-describedby": context.describedBy,
  });
  input.addEventListener("input", () => {
    const number = writeNumber(input.value);
    if (input.value === "") context.change(undefined, { unreadable: input.validity.badInput });
    else if (number === undefined) context.change(undefined, { unreadable: true });
    else context.change(kind === "number" ? { number } : { rating: Number(number) });
  });
  // A wheel over a focused box would change the number unasked.
  input.addEventListener("wheel", () => input.blur(), { passive: true });
  return {
    root: h("div", { class: "short" }, input, ...(kind === "rating" ? [h("span", { class: "counter" }, `${min} – ${max}`)] : [])),
    group: undefined,
    show({ reply, locked, invalid, required }) {
      const { answer } = reply;
      const shown = answer === undefined ? "" : "number" in answer ? String(answer.number) : "rating" in answer ? String(answer.rating) : "";
      if (!isSameNumber(input, shown)) input.value = shown;
      input.readOnly = locked;
      set(input, { "aria-invalid": invalid && "true", "aria-required": required && "true" });
    },
  };
}

/** Returns true if the box holds the number already, perhaps written otherwise, or something that is none yet. */
function isSameNumber(input: HTMLInputElement, shown: string): boolean {
  const [typed, wanted] = [parseDecimal(input.value), parseDecimal(shown)];
  if (typed === undefined || wanted === undefined) {
    const isBeingTyped = input.matches(":focus") && (input.validity.badInput || (input.value !== "" && typed === undefined));
    return shown === "" && (input.value === "" || isBeingTyped);
  }
  return typed.digits === wanted.digits && typed.scale === wanted.scale;
}
