// Made by `sayso schema auq --as zod --outcome`: do not edit.

import * as z from "zod";

export const AskUserQuestionsResultSchema = z.string().describe("The answers as text, question by question; or that the user rejected the questions, that they were cancelled, or that no one answered in time.");
