// Made by `sayso schema auq --as zod`: do not edit.

import * as z from "zod";

export const OptionSchema = z.object({
  label: z.string().describe("What the user sees and picks: concise, 1 to 5 words. End it with '(Recommended)' to recommend the option."),
  description: z.string().describe("What the option means, or what follows from choosing it: trade-offs, consequences.").optional(),
}).describe("One option of a question.");

export const QuestionSchema = z.object({
  prompt: z.string().min(1).describe("The complete question to ask the user. Should be clear, specific, and end with a question mark. Where several options may be picked, word it so: 'Which features do you want to enable?'"),
  title: z.string().min(1, { error: "Question title is required. Provide a short summary like 'Language' or 'Framework'." }).describe("Very short label displayed as a chip/tag (max 12 chars). It lets the user tell the questions apart at a glance."),
  options: z.array(OptionSchema).min(2).max(4).describe("The choices there are. Must have 2-4 options. There should be no 'Other' option, that will be provided automatically. They should exclude each other unless multiSelect is true."),
  multiSelect: z.boolean().describe("Set to true to allow the user to select multiple options. Default: false (single-select) Use it where the options do not exclude each other."),
}).describe("One question with the options to choose from.");

export const QuestionsSchema = z.array(QuestionSchema).min(1).max(4).describe("Questions that are asked together, in this order.");

export const QuestionInput = QuestionSchema;
/** @typedef {import("zod").infer<typeof QuestionInput>} QuestionInput */

export const AskUserQuestionsParametersSchema = z.object({
  questions: QuestionsSchema.describe("The questions to ask the user, 1 to 4 of them. Each has a prompt, a title, options and multiSelect."),
}).describe("Questions to the user.");
