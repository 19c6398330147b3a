// Made by `sayso schema ask_user_question --as zod --outcome`: do not edit.

import * as z from "zod";

export const AskUserQuestionOutputSchema = z.object({
  answers: z.record(z.string(), z.string()).describe("The answers by header: the label that was picked, several labels separated by a comma and a space, or `Other (custom: …)` with what the person typed."),
}).describe("The answers, where the person gave some.");
