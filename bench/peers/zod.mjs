// The requests and the forms in Zod 4.

import * as z from "zod";
import { bound, compiles, every } from "./questionnaire.mjs";

const checker = (schema) => (value) => schema.safeParse(value).success;

const text = z.string();
const maybe = text.optional();
const flag = z.boolean().optional();
const number = z.number().optional();
const short = (most) => z.string().min(1).max(most);

const askUserQuestion = z.object({
  questions: z
    .array(
      z.object({
        question: short(500),
        header: short(12),
        options: z.array(z.object({ label: short(50), description: short(200) })).min(2).max(4),
        multiSelect: z.boolean(),
      }),
    )
    .min(1)
    .max(4),
});

const auq = z.object({
  questions: z
    .array(
      z.object({
        prompt: z.string().min(1),
        title: z.string().min(1),
        options: z.array(z.object({ label: text, description: maybe })).min(2).max(4),
        multiSelect: z.boolean(),
      }),
    )
    .min(1)
    .max(4),
});

const base = {
  id: text,
  label: text,
  prompt: text,
  constraints: z
    .array(
      z.object({
        type: z.enum(["required", "minSelect", "maxSelect", "minLength", "maxLength", "pattern"]),
        value: z.union([z.number(), text]).optional(),
        message: text,
      }),
    )
    .optional(),
  showIf: z.object({ value: text }).optional(),
  children: z.lazy(() => z.array(ofSpec)).optional(),
};
const optionsOfSpec = z.array(z.object({ value: text, label: text, description: maybe })).min(1);
const ofType = (type, members) => z.object({ ...base, type: z.literal(type), ...members });
const ofSpec = z.discriminatedUnion("type", [
  ofType("select", { maxSelect: z.literal(1), options: optionsOfSpec }),
  ofType("multiSelect", { maxSelect: z.int().min(2), options: optionsOfSpec }),
  ofType("text", { placeholder: maybe, multiline: flag }),
  ofType("confirm", { yesLabel: maybe, noLabel: maybe }),
  ofType("rating", {
    range: z.object({ min: z.literal(1), max: z.literal(5) }),
    showEmoji: flag,
    annotations: z.record(text, text).optional(),
  }),
]);
const questionnaire = z.object({ questions: z.array(ofSpec).min(1) });

const field = z.object({
  id: text,
  type: z.enum([
    "text", "textarea", "number", "boolean", "select", "multiselect", "checkbox", "radio", "date", "time", "datetime",
  ]),
  label: text,
  description: maybe,
  required: flag,
  placeholder: maybe,
  defaultValue: z.unknown().optional(),
  validateOnClient: flag,
  options: z.array(z.object({ label: text, value: text })).optional(),
  min: number,
  max: number,
  step: number,
  minLength: number,
  maxLength: number,
  pattern: text.refine(compiles).optional(),
});
const interaction = z.object({
  prompt: maybe,
  schema: z.object({
    title: maybe,
    description: maybe,
    fields: z.array(field).optional(),
    sections: z
      .array(
        z.object({
          id: text,
          title: maybe,
          description: maybe,
          fields: z.array(field),
          optional: flag,
          submitLabel: maybe,
        }),
      )
      .optional(),
    submitLabel: maybe,
    cancelLabel: maybe,
    initialValues: z.record(text, z.unknown()).optional(),
  }),
  validate: flag,
  timeoutMs: number,
  onTimeout: maybe,
  mode: maybe,
});

const interrupt = z.object({
  questions: z
    .array(
      z.object({
        question: text,
        options: z.array(z.object({ label: text, value: text, allow_custom: flag })),
      }),
    )
    .min(1),
});

const id = z.string().min(1).max(200).optional();
const amount = z.union([z.number(), text]);
const value = z.union([z.boolean(), z.number(), text]);
const values = z.array(value).optional();
const condition = z.object({
  question: maybe,
  is: value.optional(),
  any_of: values,
  all_of: values,
  none_of: values,
  at_least: value.optional(),
  at_most: value.optional(),
  answered: flag,
  own_answer: flag,
  all: z.lazy(() => z.array(condition)).optional(),
  any: z.lazy(() => z.array(condition)).optional(),
  not: z.lazy(() => condition).optional(),
});
const whole = z.int().min(0).optional();
const constraint = z.object({
  required: z.boolean().optional(),
  min_length: whole,
  max_length: whole,
  min_picks: whole,
  max_picks: whole,
  min: value.optional(),
  max: value.optional(),
  multiple_of: amount.optional(),
  pattern: z.string().max(1000).refine(compiles).optional(),
  fits: flag,
  message: maybe,
});
const question = z.object({
  id,
  key: maybe,
  label: maybe,
  prompt: z.string().min(1),
  detail: maybe,
  kind: z.enum(["choice", "text", "confirm", "rating", "number", "date", "time", "datetime"]).optional(),
  options: z
    .array(
      z.object({
        id,
        value: maybe,
        label: z.string().min(1),
        description: maybe,
        preview: maybe,
        recommended: flag,
      }),
    )
    .max(1000)
    .optional(),
  multi: flag,
  other: flag,
  other_label: maybe,
  placeholder: maybe,
  long: flag,
  yes: maybe,
  no: maybe,
  min: z.int().optional(),
  max: z.int().optional(),
  emoji: flag,
  annotations: z.record(text, text).optional(),
  step: amount.optional(),
  required: flag,
  unchecked: flag,
  prefill: z.unknown().optional(),
  constraints: z.array(constraint).optional(),
  show_if: condition.optional(),
  children: z.lazy(() => z.array(question)).optional(),
});
const questions = z.array(question).max(1000);
const sayso = z.object({
  sayso: z.literal(1).optional(),
  title: maybe,
  context: maybe,
  action: z.unknown().optional(),
  submit: maybe,
  cancel: maybe,
  completed: z.object({ answers: flag, summary: maybe }).optional(),
  rules: z.unknown().optional(),
  questions: questions.optional(),
  sections: z
    .array(
      z.object({
        id,
        title: maybe,
        detail: maybe,
        optional: flag,
        submit: maybe,
        show_if: condition.optional(),
        questions: questions.min(1),
      }),
    )
    .max(1000)
    .optional(),
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
  if (question.kind === "confirm") return z.boolean();
  if (question.kind === "text") {
    const most = bound(question, "max_length");
    return most === undefined ? z.string().min(1) : z.string().min(1).max(most);
  }
  const one = z.enum(question.options.map(({ id }) => id));
  if (!question.multi) return one;
  const most = bound(question, "max_picks");
  return most === undefined ? z.array(one).min(1) : z.array(one).min(1).max(most);
}

/** A checker of `{answers}` to a questionnaire; what is shown when is left out. */
export function form(questionnaire) {
  const members = {};
  for (const question of every(questionnaire.questions)) members[question.id] = answer(question);
  return checker(z.object({ answers: z.object(members) }));
}
