// Made by `sayso schema questionnaire --as typescript`: do not edit.

/** Questions for a person, asked together and answered together. */
export interface QuestionnaireParams {
  /** The questions, in the order asked. With all their children there are at most 1000. */
  questions: Question[];
}

/** A question of one of five types. */
export type Question = SelectQuestion | MultiSelectQuestion | TextQuestion | ConfirmQuestion | RatingQuestion;

/** A whole number from 1 to 5. Until one is chosen it is none. */
export interface RatingQuestion {
  /**
   * Identifies the question; its answer comes back under this name. No two questions have the same.
   * @example "language"
   */
  id: string;
  /** Always `rating`. */
  type: "rating";
  /** A short name for tabs and lists. */
  label: string;
  /** The question itself, in full. */
  prompt: string;
  /** The scale. */
  range: {
    /** Always 1. */
    min: 1;
    /** Always 5. */
    max: 5;
  };
  /** Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep. */
  children?: Question[];
  /** In children only: the answer to the parent that this question is asked for. */
  showIf?: {
    /** An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text. */
    value: string;
  };
  /** What an answer must be like, checked in this order; the first that fails is reported. */
  constraints?: Constraint[];
  /**
   * What single steps mean, by their number.
   * @example {"1":"Poor","5":"Excellent"}
   */
  annotations?: Record<string, string>;
  /**
   * Whether faces are shown along the scale.
   * @default false
   */
  showEmoji?: boolean;
}

/** A yes or a no. Until one is chosen it is neither. */
export interface ConfirmQuestion {
  /**
   * Identifies the question; its answer comes back under this name. No two questions have the same.
   * @example "language"
   */
  id: string;
  /** Always `confirm`. */
  type: "confirm";
  /** A short name for tabs and lists. */
  label: string;
  /** The question itself, in full. */
  prompt: string;
  /** Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep. */
  children?: Question[];
  /** In children only: the answer to the parent that this question is asked for. */
  showIf?: {
    /** An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text. */
    value: string;
  };
  /** What an answer must be like, checked in this order; the first that fails is reported. */
  constraints?: Constraint[];
  /**
   * What is on the button for no.
   * @default "否"
   */
  noLabel?: string;
  /**
   * What is on the button for yes.
   * @default "是"
   */
  yesLabel?: string;
}

/** A text to be typed. */
export interface TextQuestion {
  /**
   * Identifies the question; its answer comes back under this name. No two questions have the same.
   * @example "language"
   */
  id: string;
  /** Always `text`. */
  type: "text";
  /** A short name for tabs and lists. */
  label: string;
  /** The question itself, in full. */
  prompt: string;
  /** Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep. */
  children?: Question[];
  /** In children only: the answer to the parent that this question is asked for. */
  showIf?: {
    /** An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text. */
    value: string;
  };
  /** What an answer must be like, checked in this order; the first that fails is reported. */
  constraints?: Constraint[];
  /**
   * Whether several lines are expected.
   * @default false
   */
  multiline?: boolean;
  /** An example of what to type, shown in the empty field and never sent. */
  placeholder?: string;
}

/** A choice of several options; an own answer may be one of them. */
export interface MultiSelectQuestion {
  /**
   * Identifies the question; its answer comes back under this name. No two questions have the same.
   * @example "language"
   */
  id: string;
  /** Always `multiSelect`. */
  type: "multiSelect";
  /** A short name for tabs and lists. */
  label: string;
  /** The question itself, in full. */
  prompt: string;
  /**
   * How many may be picked at most, the person's own answer included; 2 or more.
   * @example 3
   */
  maxSelect: number;
  /** What can be picked, in the order shown. An own answer is always offered after the last. */
  options: Option[];
  /** Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep. */
  children?: Question[];
  /** In children only: the answer to the parent that this question is asked for. */
  showIf?: {
    /** An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text. */
    value: string;
  };
  /** What an answer must be like, checked in this order; the first that fails is reported. */
  constraints?: Constraint[];
}

/** A choice of one option, or an own answer. */
export interface SelectQuestion {
  /**
   * Identifies the question; its answer comes back under this name. No two questions have the same.
   * @example "language"
   */
  id: string;
  /** Always `select`. */
  type: "select";
  /** A short name for tabs and lists. */
  label: string;
  /** The question itself, in full. */
  prompt: string;
  /** Always 1: one is picked. */
  maxSelect: 1;
  /** What can be picked, in the order shown. An own answer is always offered after the last. */
  options: Option[];
  /** Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep. */
  children?: Question[];
  /** In children only: the answer to the parent that this question is asked for. */
  showIf?: {
    /** An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text. */
    value: string;
  };
  /** What an answer must be like, checked in this order; the first that fails is reported. */
  constraints?: Constraint[];
}

/** What an answer must be like. minSelect and maxSelect count options, minLength, maxLength and pattern judge texts, and required has the words for a missing answer. */
export type Constraint = {
  /** What is demanded. */
  type: "required";
  /** Message shown to the person if the answer fails. */
  message: string;
} | {
  /** What is demanded. */
  type: "minSelect" | "maxSelect" | "minLength" | "maxLength";
  /** Message shown to the person if the answer fails. */
  message: string;
  /** How many options for minSelect and maxSelect; how many characters for minLength and maxLength. */
  value: number;
} | {
  /** What is demanded. */
  type: "pattern";
  /** Message shown to the person if the answer fails. */
  message: string;
  /** A JavaScript regular expression without slashes and flags, of at most 1000 characters, which matches anywhere unless it has ^ and $. There are at most 200 in one call. */
  value: string;
};

/** Something that can be picked. */
export interface Option {
  /** What comes back for it. */
  value: string;
  /** What the person reads. */
  label: string;
  /** What it means, shown under the label. */
  description?: string;
}
