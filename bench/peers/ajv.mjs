// The requests and the forms in JSON Schema, compiled by Ajv 8.

import { Ajv } from "ajv";
import { bound, compiles, every } from "./questionnaire.mjs";

// Lengths in UTF-16 code units: what the specs want, and quicker.
const ajv = new Ajv({ discriminator: true, unicode: false, allowUnionTypes: true, formats: { regex: compiles } });

const text = { type: "string" };
const flag = { type: "boolean" };
const number = { type: "number" };
const whole = { type: "integer" };
const natural = { type: "integer", minimum: 0 };
const anything = {};
const present = { type: "string", minLength: 1 };
const short = (most) => ({ type: "string", minLength: 1, maxLength: most });
const list = (items, minItems, maxItems) => ({ type: "array", items, minItems, maxItems });
const any = (items) => ({ type: "array", items });
const some = (items) => ({ type: "array", items, minItems: 1 });
const most = (items, maxItems) => ({ type: "array", items, maxItems });
const one = (values) => ({ type: "string", enum: values });
const record = (additionalProperties) => ({ type: "object", additionalProperties });
const object = (required, optional = {}) => ({
  type: "object",
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

const askUserQuestion = object({
  questions: list(
    object({
      question: short(500),
      header: short(12),
      options: list(object({ label: short(50), description: short(200) }), 2, 4),
      multiSelect: flag,
    }),
    1,
    4,
  ),
});

const auq = object({
  questions: list(
    object({
      prompt: present,
      title: present,
      options: list(object({ label: text }, { description: text }), 2, 4),
      multiSelect: flag,
    }),
    1,
    4,
  ),
});

const optionsOfSpec = some(object({ value: text, label: text }, { description: text }));
const constraintOfSpec = object(
  { type: one(["required", "minSelect", "maxSelect", "minLength", "maxLength", "pattern"]), message: text },
  { value: { type: ["number", "string"] } },
);
const ofType = (type, required, optional) =>
  object(
    { id: text, label: text, prompt: text, type: { const: type }, ...required },
    {
      ...optional,
      constraints: any(constraintOfSpec),
      showIf: object({ value: text }),
      children: any({ $ref: "#/$defs/Question" }),
    },
  );
const questionnaire = {
  ...object({ questions: some({ $ref: "#/$defs/Question" }) }),
  $defs: {
    Question: {
      type: "object",
      discriminator: { propertyName: "type" },
      required: ["type"],
      oneOf: [
        ofType("select", { maxSelect: { const: 1 }, options: optionsOfSpec }),
        ofType("multiSelect", { maxSelect: { type: "integer", minimum: 2 }, options: optionsOfSpec }),
        ofType("text", {}, { placeholder: text, multiline: flag }),
        ofType("confirm", {}, { yesLabel: text, noLabel: text }),
        ofType(
          "rating",
          { range: object({ min: { const: 1 }, max: { const: 5 } }) },
          { showEmoji: flag, annotations: record(text) },
        ),
      ],
    },
  },
};

const field = object(
  {
    id: text,
    type: one([
      "text", "textarea", "number", "boolean", "select", "multiselect", "checkbox", "radio", "date", "time", "datetime",
    ]),
    label: text,
  },
  {
    description: text,
    required: flag,
    placeholder: text,
    defaultValue: anything,
    validateOnClient: flag,
    options: any(object({ label: text, value: text })),
    min: number,
    max: number,
    step: number,
    minLength: number,
    maxLength: number,
    pattern: { type: "string", format: "regex" },
  },
);
const interaction = object(
  {
    schema: object(
      {},
      {
        title: text,
        description: text,
        fields: any(field),
        sections: any(
          object({ id: text, fields: any(field) }, { title: text, description: text, optional: flag, submitLabel: text }),
        ),
        submitLabel: text,
        cancelLabel: text,
        initialValues: record(anything),
      },
    ),
  },
  { prompt: text, validate: flag, timeoutMs: number, onTimeout: text, mode: text },
);

const interrupt = object({
  questions: some(
    object({
      question: text,
      options: any(object({ label: text, value: text }, { allow_custom: flag })),
    }),
  ),
});

const amount = { type: ["number", "string"] };
const value = { type: ["boolean", "number", "string"] };
const condition = { $ref: "#/$defs/Condition" };
const question = { $ref: "#/$defs/Question" };
const sayso = {
  ...object(
    {},
    {
      sayso: { const: 1 },
      title: text,
      context: text,
      action: anything,
      submit: text,
      cancel: text,
      completed: object({}, { answers: flag, summary: text }),
      rules: anything,
      questions: most(question, 1000),
      sections: most(
        object(
          { questions: list(question, 1, 1000) },
          { id: short(200), title: text, detail: text, optional: flag, submit: text, show_if: condition },
        ),
        1000,
      ),
    },
  ),
  $defs: {
    Condition: object(
      {},
      {
        question: text,
        is: value,
        any_of: any(value),
        all_of: any(value),
        none_of: any(value),
        at_least: value,
        at_most: value,
        answered: flag,
        own_answer: flag,
        all: any(condition),
        any: any(condition),
        not: condition,
      },
    ),
    Question: object(
      { prompt: present },
      {
        id: short(200),
        key: text,
        label: text,
        detail: text,
        kind: one(["choice", "text", "confirm", "rating", "number", "date", "time", "datetime"]),
        options: most(
          object(
            { label: present },
            { id: short(200), value: text, description: text, preview: text, recommended: flag },
          ),
          1000,
        ),
        multi: flag,
        other: flag,
        other_label: text,
        placeholder: text,
        long: flag,
        yes: text,
        no: text,
        min: whole,
        max: whole,
        emoji: flag,
        annotations: record(text),
        step: amount,
        required: flag,
        unchecked: flag,
        prefill: anything,
        constraints: any(
          object(
            {},
            {
              required: flag,
              min_length: natural,
              max_length: natural,
              min_picks: natural,
              max_picks: natural,
              min: value,
              max: value,
              multiple_of: amount,
              pattern: { type: "string", maxLength: 1000, format: "regex" },
              fits: flag,
              message: text,
            },
          ),
        ),
        show_if: condition,
        children: any(question),
      },
    ),
  },
};

export const requests = {
  sayso: ajv.compile(sayso),
  questionnaire: ajv.compile(questionnaire),
  ask_user_question: ajv.compile(askUserQuestion),
  auq: ajv.compile(auq),
  interaction: ajv.compile(interaction),
  interrupt: ajv.compile(interrupt),
};

function answer(asked) {
  if (asked.kind === "confirm") return flag;
  if (asked.kind === "text") {
    const longest = bound(asked, "max_length");
    return longest === undefined ? present : short(longest);
  }
  const picked = one(asked.options.map(({ id }) => id));
  if (!asked.multi) return picked;
  const picks = bound(asked, "max_picks");
  return picks === undefined ? some(picked) : list(picked, 1, picks);
}

let latest;

/** A checker of `{answers}` to a questionnaire; what is shown when is left out. */
export function form(asked) {
  const members = {};
  for (const each of every(asked.questions)) members[each.id] = answer(each);
  latest = object({ answers: object(members) });
  return ajv.compile(latest);
}

/** Ajv keeps every schema that it compiled. */
export function forget() {
  ajv.removeSchema(latest);
}
