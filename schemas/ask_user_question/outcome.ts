// Made by `sayso schema ask_user_question --as typescript --outcome`: do not edit.

/** The answers, where the person gave some. */
export interface AskUserQuestionOutput {
  /**
   * The answers by header: the label that was picked, several labels separated by a comma and a space, or `Other (custom: …)` with what the person typed.
   * @example {"Auth method":"OAuth 2.0"}
   */
  answers: Record<string, string>;
}
