// Made by `sayso schema interaction --as typescript --outcome`: do not edit.

/** What came of the form. */
export type QuestionsAskResult = {
  /** Whether the user submitted the form. */
  ok: boolean;
  /** What went wrong. */
  error?: string | ToolError;
  answers?: Answers;
  /** The user dismissed the form. */
  cancelled?: true;
  /** Why, in the user's words. */
  reason?: string;
} & ({
  answers: unknown;
  ok?: true;
} | {
  cancelled: unknown;
  ok?: false;
} | {
  error: unknown;
  ok?: false;
});

/** The values by field id. A field that was left untouched may be missing. */
export type Answers = Record<string, unknown>;

/** Why there is no result. */
export interface ToolError {
  /**
   * A word that programs test for.
   * @example "invalid_arguments"
   * @example "tool_aborted"
   */
  code: string;
  /** What went wrong, in words. */
  message: string;
}
