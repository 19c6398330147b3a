// Made by `sayso schema questionnaire --as zod --outcome`: do not edit.

import * as z from "zod";

export const SelectAnswerSchema = z.looseObject({
  value: z.string().describe("The option's value, or what was typed."),
  label: z.string().describe("The option's label, or what was typed."),
  wasCustom: z.boolean().describe("Whether the answer, or one of several, was typed by the person rather than picked.").optional(),
}).describe("What was picked or typed.");

export const MultiSelectAnswerSchema = z.looseObject({
  values: z.array(z.string()).describe("The options' values; in the place of an own answer what was typed."),
  labels: z.array(z.string()).describe("The options' labels; in the place of an own answer what was typed."),
  wasCustom: z.boolean().describe("Whether the answer, or one of several, was typed by the person rather than picked.").optional(),
}).describe("What was picked or typed, in the order it was picked.");

export const TextAnswerSchema = z.looseObject({
  text: z.string().describe("The text, without white space at its ends."),
}).describe("What was typed.");

export const ConfirmAnswerSchema = z.looseObject({
  confirmed: z.boolean().describe("true for yes."),
  label: z.string().describe("What is on the button that was chosen."),
}).describe("Yes or no.");

export const RatingAnswerSchema = z.looseObject({
  value: z.int().min(1).max(5).describe("The number chosen."),
  annotation: z.string().describe("Annotation of that step; empty if it has none.").optional(),
}).describe("A step of the scale.");

export const AnswerSchema = z.union([
  SelectAnswerSchema,
  MultiSelectAnswerSchema,
  TextAnswerSchema,
  ConfirmAnswerSchema,
  RatingAnswerSchema,
]).describe("An answer, by the type of its question.");

export const QuestionnaireResultSchema = z.looseObject({
  answers: z.record(z.string(), AnswerSchema).describe("The answers by the id of their question. Questions that were not asked have none."),
  submittedAt: z.string().describe("When it was answered: RFC 3339 in UTC, with milliseconds."),
}).describe("The answers of a person.");

export const QuestionnaireCancelledSchema = z.looseObject({
  cancelled: z.literal(true).describe("Always true."),
  message: z.string().describe("Word of it."),
  reason: z.string().describe("Why, in the person's words.").optional(),
}).describe("The person did not want to answer.");

export const QuestionnaireOutcomeSchema = z.union([
  QuestionnaireResultSchema,
  QuestionnaireCancelledSchema,
]).describe("The result of a questionnaire that was answered, or word that the person did not want to.");
