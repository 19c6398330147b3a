// A box to type into: what texts, numbers and dates have in common.
import type { Answer } from "../../../schemas/sayso/request.ts";
import { escapeLine } from "../text/display.ts";
import { h, set, type Attributes } from "../dom.ts";
import type { FormQuestion } from "../form.ts";
import type { Context, Control } from "./control.ts";

/** How a box reads and shows answers. */
export interface BoxFormat {
  /** Returns the answer that a text is; `undefined` for none. */
  read(text: string): Answer | undefined;
  /** Shows an answer, unless the box holds it already. */
  show(answer: Answer | undefined): void;
}

/** Returns what every box says about itself. */
export function boxAttributes({ placeholder }: FormQuestion, context: Context): Attributes {
  return {
    part: "input", id: context.id, dir: "auto", autocomplete: "off",
    placeholder: placeholder === undefined ? undefined : escapeLine(placeholder),
    "aria-labelledby": context.labelledBy, "aria-describedby": context.describedBy,
  };
}

/** Makes the control of a box. */
export function createBox(input: HTMLInputElement | HTMLTextAreaElement, context: Context, format: BoxFormat, beside?: HTMLElement): Control {
  let wasPart = false;
  const change = () => {
    const answer = input.value === "" ? undefined : format.read(input.value);
    wasPart = input.validity.badInput;
    // Something is typed that is no answer yet.
    context.change(answer, { unreadable: answer === undefined && (input.value !== "" || wasPart) });
  };
  input.addEventListener("input", change);
  // Chromium has no `input` event for a part of a date.
  for (const event of ["keyup", "blur"]) {
    input.addEventListener(event, () => {
      if (input.validity.badInput !== wasPart) change();
    });
  }
  return {
    root: h("div", { class: "box" }, input, ...(beside === undefined ? [] : [beside])),
    group: undefined,
    show({ reply, locked, invalid, required }) {
      format.show(reply.answer);
      input.readOnly = locked;
      set(input, { "aria-invalid": invalid && "true", "aria-required": required && "true" });
    },
  };
}

/** Returns true if a person is typing something into a box that is no answer yet. */
export function isBeingTyped(input: HTMLInputElement): boolean {
  return input.matches(":focus") && (input.validity.badInput || input.value !== "");
}
