// Made by `sayso schema interaction --as zod --outcome`: do not edit.

import * as z from "zod";

export const ToolErrorSchema = z.looseObject({
  code: z.string().describe("A word that programs test for."),
  message: z.string().describe("What went wrong, in words."),
}).describe("Why there is no result.");

export const AnswersSchema = z.looseObject({}).describe("The values by field id. A field that was left untouched may be missing.");

export const QuestionsAskResultSchema = z.intersection(z.looseObject({
  ok: z.boolean().describe("Whether the user submitted the form."),
  error: z.union([
    z.string(),
    ToolErrorSchema,
  ]).describe("What went wrong.").optional(),
  answers: AnswersSchema.optional(),
  cancelled: z.literal(true).describe("The user dismissed the form.").optional(),
  reason: z.string().describe("Why, in the user's words.").optional(),
}), z.union([
  z.looseObject({
    answers: z.unknown(),
    ok: z.literal(true).optional(),
  }),
  z.looseObject({
    cancelled: z.unknown(),
    ok: z.literal(false).optional(),
  }),
  z.looseObject({
    error: z.unknown(),
    ok: z.literal(false).optional(),
  }),
])).describe("What came of the form.");
