// Made by `sayso schema auq --as typescript`: do not edit.

/** Questions to the user. */
export interface AskUserQuestionsParametersSchema {
  /** The questions to ask the user, 1 to 4 of them. Each has a prompt, a title, options and multiSelect. */
  questions: QuestionsSchema;
}

export type QuestionInput = QuestionSchema;

/** Questions that are asked together, in this order. */
export type QuestionsSchema = QuestionSchema[];

/** One question with the options to choose from. */
export interface QuestionSchema {
  /**
   * The complete question to ask the user. Should be clear, specific, and end with a question mark. Where several options may be picked, word it so: 'Which features do you want to enable?'
   * @example "Which programming language do you want to use?"
   */
  prompt: string;
  /**
   * Very short label displayed as a chip/tag (max 12 chars). It lets the user tell the questions apart at a glance.
   * @example "Auth method"
   * @example "Library"
   * @example "Approach"
   */
  title: string;
  /** The choices there are. Must have 2-4 options. There should be no 'Other' option, that will be provided automatically. They should exclude each other unless multiSelect is true. */
  options: OptionSchema[];
  /** Set to true to allow the user to select multiple options. Default: false (single-select) Use it where the options do not exclude each other. */
  multiSelect: boolean;
}

/** One option of a question. */
export interface OptionSchema {
  /**
   * What the user sees and picks: concise, 1 to 5 words. End it with '(Recommended)' to recommend the option.
   * @example "PostgreSQL (Recommended)"
   */
  label: string;
  /** What the option means, or what follows from choosing it: trade-offs, consequences. */
  description?: string;
}
