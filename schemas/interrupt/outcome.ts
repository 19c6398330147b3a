// Made by `sayso schema interrupt --as typescript --outcome`: do not edit.

/** What the asker gets: the answers, or the decision of an interrupt without questions. Who declines the questions decides too. */
export type AskUserResult = Answers | Decision;

/** Whether to go on. */
export interface Decision {
  /** continue to go on, cancel not to. */
  action: "continue" | "cancel";
  /** Why not, where the person said. */
  reason?: string;
}

/** An answer to each question, in their order: the value of an option, or typed text. */
export type Answers = string[];
