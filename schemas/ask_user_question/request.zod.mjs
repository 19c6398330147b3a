// Made by `sayso schema ask_user_question --as zod`: do not edit.

import * as z from "zod";

export const QuestionOptionSchema = z.object({
  label: z.string().min(1).refine((text) => text.length <= 50, { error: "Too big: expected string to have <=50 characters" }).describe("What the person reads and you get back: 1 to 5 words. At most 50 characters, counted in UTF-16 code units: an emoji counts 2."),
  description: z.string().min(1).refine((text) => text.length <= 200, { error: "Too big: expected string to have <=200 characters" }).describe("What picking it means. At most 200 characters, counted in UTF-16 code units: an emoji counts 2."),
}).describe("One option.");

export const QuestionSchema = z.object({
  question: z.string().min(1).refine((text) => text.length <= 500, { error: "Too big: expected string to have <=500 characters" }).describe("The complete question, ending with a question mark. At most 500 characters, counted in UTF-16 code units: an emoji counts 2."),
  header: z.string().min(1).refine((text) => text.length <= 12, { error: "Too big: expected string to have <=12 characters" }).describe("A short label for the question, like Auth method. The answer comes back under it, so no two questions should share one. At most 12 characters, counted in UTF-16 code units: an emoji counts 2."),
  options: z.array(QuestionOptionSchema).min(2).max(4).describe("2 to 4 options. Add no option for another answer: one is always offered. If you recommend one, put it first and end its label with (Recommended)."),
  multiSelect: z.boolean().describe("True where several options may be picked, since they do not exclude each other."),
}).describe("One question.");

export const AskUserQuestionInputSchema = z.object({
  questions: z.array(QuestionSchema).min(1).max(4).describe("1 to 4 questions, in the order asked."),
}).describe("Questions for the person, asked one after another.");
