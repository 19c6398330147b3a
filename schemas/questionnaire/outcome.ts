// Made by `sayso schema questionnaire --as typescript --outcome`: do not edit.

/** The result of a questionnaire that was answered, or word that the person did not want to. */
export type QuestionnaireOutcome = QuestionnaireResult | QuestionnaireCancelled;

/** The person did not want to answer. */
export interface QuestionnaireCancelled {
  /** Always true. */
  cancelled: true;
  /** Word of it. */
  message: string;
  /** Why, in the person's words. */
  reason?: string;
}

/** The answers of a person. */
export interface QuestionnaireResult {
  /** The answers by the id of their question. Questions that were not asked have none. */
  answers: Record<string, Answer>;
  /** When it was answered: RFC 3339 in UTC, with milliseconds. */
  submittedAt: string;
}

/** An answer, by the type of its question. */
export type Answer = SelectAnswer | MultiSelectAnswer | TextAnswer | ConfirmAnswer | RatingAnswer;

/** A step of the scale. */
export interface RatingAnswer {
  /** The number chosen. */
  value: number;
  /** Annotation of that step; empty if it has none. */
  annotation?: string;
}

/** Yes or no. */
export interface ConfirmAnswer {
  /** true for yes. */
  confirmed: boolean;
  /** What is on the button that was chosen. */
  label: string;
}

/** What was typed. */
export interface TextAnswer {
  /** The text, without white space at its ends. */
  text: string;
}

/** What was picked or typed, in the order it was picked. */
export interface MultiSelectAnswer {
  /** The options' values; in the place of an own answer what was typed. */
  values: string[];
  /** The options' labels; in the place of an own answer what was typed. */
  labels: string[];
  /**
   * Whether the answer, or one of several, was typed by the person rather than picked.
   * @default false
   */
  wasCustom?: boolean;
}

/** What was picked or typed. */
export interface SelectAnswer {
  /** The option's value, or what was typed. */
  value: string;
  /** The option's label, or what was typed. */
  label: string;
  /**
   * Whether the answer, or one of several, was typed by the person rather than picked.
   * @default false
   */
  wasCustom?: boolean;
}
