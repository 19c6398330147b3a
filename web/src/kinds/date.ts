// A day, a time of day, or both, in a native control; in a text box where that cannot show the value, such as one with an
// offset from UTC.
import type { Answer } from "../../../schemas/sayso/request.ts";
import { shortTime } from "../text/describe.ts";
import { h } from "../dom.ts";
import type { FormQuestion } from "../form.ts";
import { parseDate, parseMoment, parseTime } from "../rules/ordering.ts";
import { boxAttributes, createBox, isBeingTyped } from "./box.ts";
import type { CreateControl } from "./control.ts";

const NATIVE = { date: "date", time: "time", datetime: "datetime-local" } as const;

/** Makes the control of a date, a time, or a date with a time. */
export const create: CreateControl<FormQuestion> = (question, context) => {
  const kind = question.kind === "date" || question.kind === "time" ? question.kind : "datetime";
  const input = h("input", { ...boxAttributes(question, context), type: NATIVE[kind] });
  const holds = (shown: string) => textOf(readAnswer(kind, input.value, true)) === shown;
  return createBox(input, context, {
    read: (text) => readAnswer(kind, text, context.rules.loose_dates === true),
    show(answer) {
      const shown = textOf(answer);
      if (holds(shown) || (shown === "" && isBeingTyped(input))) return;
      input.type = NATIVE[kind];
      input.value = shown;
      if (holds(shown)) return;
      input.type = "text";
      input.value = shown;
    },
  });
};

/** Returns what an answer says, without seconds that are zero. */
function textOf(answer: Answer | undefined): string {
  return answer === undefined ? "" : shortTime(String(Object.values(answer)[0]));
}

function readAnswer(kind: keyof typeof NATIVE, text: string, isLoose: boolean): Answer | undefined {
  if (kind === "date" && parseDate(text) !== undefined) return { date: text };
  if (kind === "time" && parseTime(text) !== undefined) return { time: text };
  if (kind === "datetime" && parseMoment(text) !== undefined) return { datetime: text };
  return isLoose && text !== "" ? { text } : undefined;
}
