// Made by `sayso schema interaction --as zod`: do not edit.

import * as z from "zod";

export const QuestionnaireOptionSchema = z.looseObject({
  label: z.string().describe("What the user reads."),
  value: z.string().describe("What you get for it."),
}).describe("Something that can be picked.");

export const QuestionnaireFieldSchema = z.looseObject({
  id: z.string().describe("The name of its value in what you get. No other field may have it."),
  type: z.enum(["text", "textarea", "number", "boolean", "select", "multiselect", "checkbox", "radio", "date", "time", "datetime"]).describe("The control. select, radio and multiselect need options; boolean and checkbox are yes or no, and must be yes where they are required."),
  label: z.string().describe("What you ask, in a few words or a sentence."),
  pattern: z.string().describe("A JavaScript regular expression, without flags, that must match somewhere in the value, for text and textarea.").optional(),
  maxLength: z.int().min(0).describe("The most characters (UTF-16 code units), for text and textarea.").optional(),
  minLength: z.int().min(0).describe("The fewest characters (UTF-16 code units), for text and textarea.").optional(),
  description: z.string().describe("More about it, shown with the label. May be Markdown.").optional(),
  required: z.boolean().describe("Whether it must be filled in.").optional(),
  placeholder: z.string().describe("An example of what to type. It is never sent.").optional(),
  defaultValue: z.unknown().describe("Initial value, unless initialValues name the field.").optional(),
  validateOnClient: z.boolean().describe("Whether the value is checked while it is entered. What is sent is checked in any case.").optional(),
  options: z.array(QuestionnaireOptionSchema).max(1000).describe("What can be picked, for select, radio and multiselect.").optional(),
  min: z.number().describe("The smallest number, for number.").optional(),
  max: z.number().describe("The largest number, for number.").optional(),
  step: z.number().describe("How far one step of the control goes, for number. No value is refused for it.").optional(),
}).describe("A field of a form: one question.");

export const QuestionnaireSectionSchema = z.looseObject({
  id: z.string().describe("Its name within the form."),
  fields: z.array(QuestionnaireFieldSchema).max(1000).describe("Its fields, in the order shown."),
  submitLabel: z.string().describe("What is on the button that leads on from it.").optional(),
  title: z.string().describe("Its heading.").optional(),
  description: z.string().describe("What it is about, under the heading. May be Markdown.").optional(),
  optional: z.boolean().describe("Whether the user may skip it: while all of it is empty, nothing in it is required.").optional(),
}).describe("A step of a form.");

export const QuestionnaireSchema = z.looseObject({
  title: z.string().describe("Title of the form, in one line.").optional(),
  description: z.string().describe("What the form is about. May be Markdown.").optional(),
  fields: z.array(QuestionnaireFieldSchema).max(1000).describe("The fields of a simple form, in the order shown.").optional(),
  sections: z.array(QuestionnaireSectionSchema).max(1000).describe("The steps of a longer form, in the order shown.").optional(),
  submitLabel: z.string().describe("What is on the button that sends the values.").optional(),
  cancelLabel: z.string().describe("What is on the button that dismisses the form.").optional(),
  initialValues: z.looseObject({}).describe("Initial values of the fields, by field id. The user sees them before they are sent.").optional(),
}).superRefine((value, ctx) => {
  const has = (list) => (list?.length ?? 0) > 0;
  if (has(value.fields) === has(value.sections)) {
    ctx.addIssue({ code: 'custom', message: 'Invalid input' });
  }
}).superRefine((value, ctx) => {
  const ids = new Set();
  const check = (field, path) => {
    const issue = (message, member) =>
      ctx.addIssue({ code: 'custom', message, path: [...path, member] });
    if (ids.has(field.id)) issue(`Duplicate field id: ${field.id}`, 'id');
    ids.add(field.id);
    if (['select', 'radio', 'multiselect'].includes(field.type) && !field.options?.length) {
      issue(`Field "${field.id}" requires options`, 'options');
    }
    if (field.pattern) {
      try {
        new RegExp(field.pattern);
      } catch {
        issue(`Invalid pattern for field "${field.id}"`, 'pattern');
      }
    }
  };
  if (value.fields?.length) {
    value.fields.forEach((field, index) => check(field, ['fields', index]));
  } else {
    value.sections?.forEach((section, at) =>
      section.fields.forEach((field, index) => check(field, ['sections', at, 'fields', index])),
    );
  }
}).describe("The form. Give either fields or sections, one of them and not both.");

export const QuestionsAskSchema = z.looseObject({
  schema: QuestionnaireSchema,
  prompt: z.string().describe("Text shown before the form, such as the reason for asking. May be Markdown.").optional(),
  completedView: z.looseObject({
    showInputs: z.boolean().describe("Whether the values are shown.").optional(),
    summaryTemplate: z.string().describe("A sentence with {{action}} and {{fieldId}} in the places of values.").optional(),
  }).describe("What is shown once the form is answered.").optional(),
  validate: z.boolean().describe("Whether values are checked before you get them. Without checks you get whatever was entered.").optional(),
  strict: z.boolean().describe("Whether dates and times must be ISO 8601; otherwise any text will do.").optional(),
  timeoutMs: z.number().min(1).max(34560000000).describe("After how many milliseconds to give up.").optional(),
  onTimeout: z.enum(["error", "async", "cancel"]).describe("What you get then: an error, or the same as when the user cancels.").optional(),
  mode: z.enum(["sync", "async"]).describe("Whether you wait for the answer.").optional(),
}).describe("A form for the user to fill in.");
