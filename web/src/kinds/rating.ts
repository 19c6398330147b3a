// A step on a scale: a radio group drawn as a scale, faces above it and the asker's words below; a number box for scales
// too long for that.
import { escapeLine } from "../text/display.ts";
import { h } from "../dom.ts";
import type { FormQuestion } from "../form.ts";
import type { Control, CreateControl } from "./control.ts";
import { createNumberBox } from "./number.ts";
import * as messages from "../messages.ts";

/** Steps up to which each has a button. */
const SHOWN = 11;
const FACES = ["😡", "😟", "😐", "😊", "😍"];

/** Makes the control of a rating. */
export const create: CreateControl<FormQuestion> = (question, context): Control => {
  const { min = 1, max = 5 } = question;
  return max - min < SHOWN ? createScale(question, min, max, context) : createNumberBox(question, context, true);
};

function createScale(question: FormQuestion, min: number, max: number, context: Parameters<typeof create>[1]): Control {
  const { say, id } = context;
  const steps = Array.from({ length: max - min + 1 }, (_, index) => {
    const step = min + index;
    const note = question.annotations?.[step];
    const name = say([messages.RatedOf, step, max]) + (note === undefined ? "" : `, ${escapeLine(note)}`);
    const input = h("input", { type: "radio", name: id, id: `${id}-${index}`, "aria-label": name });
    input.addEventListener("change", () => context.change({ rating: step }));
    const face = FACES[Math.round((index * (FACES.length - 1)) / (max - min))] ?? "";
    const row = h("label", { class: "step", part: "option" }, ...(question.emoji === true ? [h("span", { class: "face", "aria-hidden": "true" }, face)] : []),
      input, h("span", { class: "dot", "aria-hidden": "true" }, String(step)),
      h("span", { class: "note", "aria-hidden": "true", dir: "auto" }, note === undefined ? "" : escapeLine(note)));
    return { step, input, row };
  });
  return {
    root: h("div", { class: "scale" }, ...steps.map(({ row }) => row)),
    group: "radiogroup",
    show({ reply, locked }) {
      const rating = reply.answer !== undefined && "rating" in reply.answer ? reply.answer.rating : undefined;
      for (const { step, input } of steps) {
        input.checked = rating === step;
        input.disabled = locked;
      }
    },
  };
}
