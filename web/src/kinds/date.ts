// A day, a time of day, or both, in a native control; in a text box where that cannot show the value, such as one with an
// offset from UTC.
import type { Answer } from "../../../schemas/sayso/request.ts";
import { h, set } from "../dom.ts";
import type { FormQuestion } from "../form.ts";
import { parseDate, parseMoment, parseTime } from "../rules/ordering.ts";
import type { Control, CreateControl } from "./control.ts";

const NATIVE = { date: "date", time: "time", datetime: "datetime-local" } as const;

/** Makes the control of a date, a time, or a date with a time. */
export const create: CreateControl<FormQuestion> = (question, context): Control => {
  const kind = question.kind === "date" || question.kind === "time" ? question.kind : "datetime";
  const input = h("input", {
    type: NATIVE[kind], part: "input", id: context.id, autocomplete: "off",
    "aria-labelledby": context.labelledBy, "aria-describedby": context.describedBy,
  });
  input.addEventListener("input", () => {
    const text = input.value;
    if (text === "") context.change(undefined, { unreadable: input.validity.badInput });
    else {
      const answer = readAnswer(kind, text, context.rules.loose_dates === true);
      context.change(answer, { unreadable: answer === undefined });
    }
  });
  return {
    root: h("div", { class: "short" }, input),
    group: undefined,
    show({ reply, locked, invalid, required }) {
      const shown = textOf(reply.answer);
      if (textOf(readAnswer(kind, input.value, true)) !== shown && !(shown === "" && isBeingTyped(input))) {
        input.type = NATIVE[kind];
        input.value = shown;
        if (textOf(readAnswer(kind, input.value, true)) !== shown) {
          input.type = "text";
          input.value = shown;
        }
      }
      input.readOnly = locked;
      set(input, { "aria-invalid": invalid && "true", "aria-required": required && "true" });
    },
  };
};

function isBeingTyped(input: HTMLInputElement): boolean {
  return input.matches(":focus") && (input.validity.badInput || input.type === "text");
}

/** Returns what an answer says, without seconds that are zero. */
function textOf(answer: Answer | undefined): string {
  const text = answer === undefined ? "" : Object.values(answer).find((value) => typeof value === "string") ?? "";
  return text.replace(/(:\d\d):00(?![\d.])/, "$1");
}

function readAnswer(kind: keyof typeof NATIVE, text: string, isLoose: boolean): Answer | undefined {
  if (kind === "date" && parseDate(text) !== undefined) return { date: text };
  if (kind === "time" && parseTime(text) !== undefined) return { time: text };
  if (kind === "datetime" && parseMoment(text) !== undefined) return { datetime: text };
  return isLoose && text !== "" ? { text } : undefined;
}
