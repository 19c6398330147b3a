// Made by `sayso schema interrupt --as zod --outcome`: do not edit.

import * as z from "zod";

export const AnswersSchema = z.array(z.string()).describe("An answer to each question, in their order: the value of an option, or typed text.");

export const DecisionSchema = z.looseObject({
  action: z.enum(["continue", "cancel"]).describe("continue to go on, cancel not to."),
  reason: z.string().describe("Why not, where the person said.").optional(),
}).describe("Whether to go on.");

export const AskUserResultSchema = z.union([
  AnswersSchema,
  DecisionSchema,
]).describe("What the asker gets: the answers, or the decision of an interrupt without questions. Who declines the questions decides too.");
