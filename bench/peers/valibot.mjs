// The requests and the forms in Valibot.

import * as v from "valibot";
import { bound, compiles, every } from "./questionnaire.mjs";

const checker = (schema) => (value) => v.safeParse(schema, value).success;

const text = v.string();
const maybe = v.optional(text);
const flag = v.optional(v.boolean());
const number = v.optional(v.number());
const present = v.pipe(text, v.minLength(1));
const short = (most) => v.pipe(text, v.minLength(1), v.maxLength(most));
const list = (item, fewest, most) => v.pipe(v.array(item), v.minLength(fewest), v.maxLength(most));

const askUserQuestion = v.object({
  questions: list(
    v.object({
      question: short(500),
      header: short(12),
      options: list(v.object({ label: short(50), description: short(200) }), 2, 4),
      multiSelect: v.boolean(),
    }),
    1,
    4,
  ),
});

const auq = v.object({
  questions: list(
    v.object({
      prompt: present,
      title: present,
      options: list(v.object({ label: text, description: maybe }), 2, 4),
      multiSelect: v.boolean(),
    }),
    1,
    4,
  ),
});

const base = {
  id: text,
  label: text,
  prompt: text,
  constraints: v.optional(
    v.array(
      v.object({
        type: v.picklist(["required", "minSelect", "maxSelect", "minLength", "maxLength", "pattern"]),
        value: v.optional(v.union([v.number(), text])),
        message: text,
      }),
    ),
  ),
  showIf: v.optional(v.object({ value: text })),
  children: v.optional(v.lazy(() => v.array(ofSpec))),
};
const optionsOfSpec = v.pipe(v.array(v.object({ value: text, label: text, description: maybe })), v.minLength(1));
const ofType = (type, members) => v.object({ ...base, type: v.literal(type), ...members });
const ofSpec = v.variant("type", [
  ofType("select", { maxSelect: v.literal(1), options: optionsOfSpec }),
  ofType("multiSelect", { maxSelect: v.pipe(v.number(), v.integer(), v.minValue(2)), options: optionsOfSpec }),
  ofType("text", { placeholder: maybe, multiline: flag }),
  ofType("confirm", { yesLabel: maybe, noLabel: maybe }),
  ofType("rating", {
    range: v.object({ min: v.literal(1), max: v.literal(5) }),
    showEmoji: flag,
    annotations: v.optional(v.record(text, text)),
  }),
]);
const questionnaire = v.object({ questions: v.pipe(v.array(ofSpec), v.minLength(1)) });

const field = v.object({
  id: text,
  type: v.picklist([
    "text", "textarea", "number", "boolean", "select", "multiselect", "checkbox", "radio", "date", "time", "datetime",
  ]),
  label: text,
  description: maybe,
  required: flag,
  placeholder: maybe,
  defaultValue: v.optional(v.unknown()),
  validateOnClient: flag,
  options: v.optional(v.array(v.object({ label: text, value: text }))),
  min: number,
  max: number,
  step: number,
  minLength: number,
  maxLength: number,
  pattern: v.optional(v.pipe(text, v.check(compiles))),
});
const interaction = v.object({
  prompt: maybe,
  schema: v.object({
    title: maybe,
    description: maybe,
    fields: v.optional(v.array(field)),
    sections: v.optional(
      v.array(
        v.object({
          id: text,
          title: maybe,
          description: maybe,
          fields: v.array(field),
          optional: flag,
          submitLabel: maybe,
        }),
      ),
    ),
    submitLabel: maybe,
    cancelLabel: maybe,
    initialValues: v.optional(v.record(text, v.unknown())),
  }),
  validate: flag,
  timeoutMs: number,
  onTimeout: maybe,
  mode: maybe,
});

const interrupt = v.object({
  questions: v.pipe(
    v.array(
      v.object({
        question: text,
        options: v.array(v.object({ label: text, value: text, allow_custom: flag })),
      }),
    ),
    v.minLength(1),
  ),
});

const id = v.optional(short(200));
const amount = v.union([v.number(), text]);
const value = v.union([v.boolean(), v.number(), text]);
const maybeValue = v.optional(value);
const values = v.optional(v.array(value));
const whole = v.optional(v.pipe(v.number(), v.integer()));
const natural = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const condition = v.object({
  question: maybe,
  is: maybeValue,
  any_of: values,
  all_of: values,
  none_of: values,
  at_least: maybeValue,
  at_most: maybeValue,
  answered: flag,
  own_answer: flag,
  all: v.optional(v.lazy(() => v.array(condition))),
  any: v.optional(v.lazy(() => v.array(condition))),
  not: v.optional(v.lazy(() => condition)),
});
const constraint = v.object({
  required: flag,
  min_length: natural,
  max_length: natural,
  min_picks: natural,
  max_picks: natural,
  min: maybeValue,
  max: maybeValue,
  multiple_of: v.optional(amount),
  pattern: v.optional(v.pipe(text, v.maxLength(1000), v.check(compiles))),
  fits: flag,
  message: maybe,
});
const option = v.object({
  id,
  value: maybe,
  label: present,
  description: maybe,
  preview: maybe,
  recommended: flag,
});
const question = v.object({
  id,
  key: maybe,
  label: maybe,
  prompt: present,
  detail: maybe,
  kind: v.optional(v.picklist(["choice", "text", "confirm", "rating", "number", "date", "time", "datetime"])),
  options: v.optional(v.pipe(v.array(option), v.maxLength(1000))),
  multi: flag,
  other: flag,
  other_label: maybe,
  placeholder: maybe,
  long: flag,
  yes: maybe,
  no: maybe,
  min: whole,
  max: whole,
  emoji: flag,
  annotations: v.optional(v.record(text, text)),
  step: v.optional(amount),
  required: flag,
  unchecked: flag,
  prefill: v.optional(v.unknown()),
  constraints: v.optional(v.array(constraint)),
  show_if: v.optional(condition),
  children: v.optional(v.lazy(() => v.array(question))),
});
const section = v.object({
  id,
  title: maybe,
  detail: maybe,
  optional: flag,
  submit: maybe,
  show_if: v.optional(condition),
  questions: list(question, 1, 1000),
});
const sayso = v.object({
  sayso: v.optional(v.literal(1)),
  title: maybe,
  context: maybe,
  action: v.optional(v.unknown()),
  submit: maybe,
  cancel: maybe,
  completed: v.optional(v.object({ answers: flag, summary: maybe })),
  rules: v.optional(v.unknown()),
  questions: v.optional(v.pipe(v.array(question), v.maxLength(1000))),
  sections: v.optional(v.pipe(v.array(section), v.maxLength(1000))),
});

export const requests = {
  sayso: checker(sayso),
  questionnaire: checker(questionnaire),
  ask_user_question: checker(askUserQuestion),
  auq: checker(auq),
  interaction: checker(interaction),
  interrupt: checker(interrupt),
};

function answer(question) {
  if (question.kind === "confirm") return v.boolean();
  if (question.kind === "text") {
    const most = bound(question, "max_length");
    return most === undefined ? present : v.pipe(text, v.minLength(1), v.maxLength(most));
  }
  const one = v.picklist(question.options.map(({ id }) => id));
  if (!question.multi) return one;
  const most = bound(question, "max_picks");
  return most === undefined ? v.pipe(v.array(one), v.minLength(1)) : list(one, 1, most);
}

/** A checker of `{answers}` to a questionnaire; what is shown when is left out. */
export function form(questionnaire) {
  const members = {};
  for (const question of every(questionnaire.questions)) members[question.id] = answer(question);
  return checker(v.object({ answers: v.object(members) }));
}
