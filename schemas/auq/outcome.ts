// Made by `sayso schema auq --as typescript --outcome`: do not edit.

/** The answers as text, question by question; or that the user rejected the questions, that they were cancelled, or that no one answered in time. */
export type AskUserQuestionsResult = string;
