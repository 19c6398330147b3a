// Made by `sayso schema sayso --as typescript`: do not edit.

/** Questions for a person, in Sayso's own format. */
export interface Questionnaire {
  /** The version of this format: 1. */
  sayso?: number;
  /**
   * Accepts, as intended, empty questions and labels, constraints that no answer meets, and a request without
   * questions.
   */
  as_is?: boolean;
  /** Subject in one line. */
  title?: string;
  /** Reason for asking: all that a person must know to answer. May be Markdown. */
  context?: string;
  /** Exactly what you would do if the person agrees, as data. It is shown apart from your words. */
  action?: Action;
  /** The questions, in the order asked. Give either these or sections. */
  questions?: Question[];
  /** Groups of questions, in the order asked. Give either these or questions. */
  sections?: Section[];
  /** Label of the button that sends the answers. A terminal shows it next to its own words. */
  submit?: string;
  /** Label of the button that declines. A terminal shows it next to its own words. */
  cancel?: string;
  /** Text shown once it is answered. */
  completed?: CompletionText;
  /** Rules by which answers are checked. */
  rules?: Rules;
  /** Treatment of an answer whose pattern takes too many steps to check. If consent is asked for, it is refused. */
  unchecked?: UncheckedAnswers;
  /**
   * Members of other formats that this one cannot express, by the name of the format. They are kept for the way
   * back, and neither shown nor checked.
   */
  beside?: Record<string, unknown>;
}

/** Treatment of an answer whose pattern takes too many steps to check. */
export type UncheckedAnswers =
  /** The answer is accepted and marked for the asker. */
  | "accept"
  /** The answer is refused. */
  | "refuse";

/** The rules of one questionnaire. */
export interface Rules {
  /**
   * The unit of all lengths.
   * @default "scalar"
   */
  length_unit?: LengthUnit;
  /**
   * Typed text is trimmed before it is checked and sent.
   * @default true
   */
  trim_text?: boolean;
  /**
   * The same option may be picked more than once and counts each time.
   * @default false
   */
  repeated_picks?: boolean;
  /**
   * A typed own answer replaces the picks of a multiple choice.
   * @default false
   */
  other_alone?: boolean;
  /**
   * An empty own answer counts as an answer.
   * @default false
   */
  empty_other?: boolean;
  /** A typed own answer meets a condition on the option with the same id. */
  own_answers_match?: boolean;
  /** A required confirmation must be yes. */
  must_be_true?: boolean;
  /** Picking nothing is an answer. */
  empty_picks?: boolean;
  /** Several options may be picked even if one is asked for. */
  loose_single?: boolean;
  /** At least one question must be answered, though none is required by itself. */
  some_answer?: boolean;
  /** White space is an answer; an empty text is not. */
  blank_text?: boolean;
  /** Any answer of its kind may be sent and none is required: the asker judges. */
  unjudged?: boolean;
  /** Any text is accepted as a date or time. */
  loose_dates?: boolean;
  /** The own answer's default label is custom, as in its format, not other. */
  own_answers_are_custom?: boolean;
  /** Texts that an own answer must not be, trimmed: they mean something else to the asker. */
  reserved?: string[];
}

/** The unit that lengths are counted in. */
export type LengthUnit =
  /** Unicode scalar values. */
  | "scalar"
  /** UTF-16 code units, the `length` of JavaScript: an emoji counts 2. */
  | "utf16";

/** Text shown once a questionnaire is answered. */
export interface CompletionText {
  /**
   * Shows the answers.
   * @default false
   */
  answers?: boolean;
  /** A sentence with `{{question id}}` as placeholders for answers. */
  summary?: string;
}

/** Questions that belong together. */
export interface Section {
  /** Its questions, in the order asked. */
  questions: Question[];
  /** Identifies it; numbered where it is left out. */
  id?: string;
  /** Its heading. */
  title?: string;
  /** More about it, shown under the heading. May be Markdown. */
  detail?: string;
  /** May be skipped as a whole: as long as it is empty, nothing in it is required. */
  optional?: boolean;
  /** Label of the button that leads to the next section. */
  submit?: string;
  /** Condition under which its questions are asked. */
  show_if?: Condition;
}

/** One question. */
export interface Question {
  /** Question to the person. May be Markdown. */
  prompt: string;
  /** Identifies it; numbered where it is left out. */
  id?: string;
  /** Your own name for it, if that is not its id. */
  key?: string;
  /** Kind of answer. Without it: a choice if there are options, else a text. */
  kind?: KindName;
  /** A short name for tabs and lists. */
  label?: string;
  /** Questions that follow it up, each asked right after it. */
  children?: Question[];
  /** More about it, shown under the prompt. May be Markdown. */
  detail?: string;
  /** It must be answered before the answers can be sent. */
  required?: boolean;
  /** Any answer of its kind is taken while it is typed; what is sent is judged all the same. */
  unchecked?: boolean;
  /** For a choice: the options. */
  options?: Option[];
  /** For a choice: several may be picked. */
  multi?: boolean;
  /** For a choice: a typed own answer is offered after the options. */
  other?: boolean;
  /** For a choice: label of the own answer. */
  other_label?: string;
  /** For a choice: number of options above the own answer; all by default. */
  other_at?: number;
  /** For a text: more than one line is expected. */
  long?: boolean;
  /** For a confirmation: label of yes, quoted after our own yes. It must not mean no. */
  yes?: string;
  /** For a confirmation: label of no. */
  no?: string;
  /**
   * For a confirmation: true if yes is consent, false if it is an ordinary value. Without it: consent if there is an
   * action, or if nothing else is required.
   */
  consent?: boolean;
  /** For a rating: the lowest step; 1 by default. */
  min?: number;
  /** For a rating: the highest step; 5 by default. */
  max?: number;
  /** For a rating: faces are shown along the scale. */
  emoji?: boolean;
  /** For a rating: labels of single steps. */
  annotations?: Record<string, string>;
  /** For a number: step of the control. Answers are not checked against it. */
  step?: Number;
  /** An example of what to type, shown and never sent. */
  placeholder?: string;
  /** The answer to fill in at first, in the form of an outcome's answers. Consent takes none. */
  prefill?: Answer;
  /** Constraints on the answer, checked in this order; the first that fails is reported. */
  constraints?: Constraint[];
  /** Condition under which it is asked; without it always, and a follow-up question once its parent has an answer. */
  show_if?: Condition;
}

/**
 * Condition under which something is asked: one check of the answer to an earlier question, or all, any or not of
 * other conditions.
 */
export interface Condition {
  /** The id of an earlier question; without it, the parent's. */
  question?: string;
  /**
   * The answer is this: an option's id, a text, true or false, a number, or a date or time in its ISO form. Of
   * several picks, one is.
   */
  is?: Value;
  /** The answer is one of these. */
  any_of?: Value[];
  /** All of these are picked. */
  all_of?: Value[];
  /** There is an answer, and it is none of these. */
  none_of?: Value[];
  /** The answer is this or more, or this or later. */
  at_least?: Value;
  /** The answer is this or less, or this or earlier. */
  at_most?: Value;
  /** There is an answer (true), or there is none (false). */
  answered?: boolean;
  /** The answer is the person's own, not an option (true), or is an option (false). */
  own_answer?: boolean;
  /** All of these hold. */
  all?: Condition[];
  /** At least one of these holds. */
  any?: Condition[];
  /** This does not hold. */
  not?: Condition;
}

/** Rule for an answer, and the message if it is not met. */
export interface Constraint {
  /** Message for a required question that has no answer. */
  required?: boolean;
  /** Message for an answer that is not of the question's kind, or names no option. */
  fits?: boolean;
  /** At least as many options are picked. */
  min_picks?: number;
  /** At most as many options are picked. */
  max_picks?: number;
  /** The text has at least as many characters. */
  min_length?: number;
  /** The text has at most as many characters. */
  max_length?: number;
  /** A JavaScript regular expression without flags that matches somewhere in the text. */
  pattern?: string;
  /** At least this number, or not before this date or time. */
  min?: Value;
  /** At most this number, or not after this date or time. */
  max?: Value;
  /** A multiple of this number. */
  multiple_of?: Number;
  /** Message if it is not met; by default a message of Sayso's own. */
  message?: string;
}

/** A value to compare an answer with: an option's id, a text, a date, a number, or true and false. */
export type Value =
  /** Yes or no. */
  | boolean
  /** A number. */
  | Number
  /** An option's id, a text, or a date or time in its ISO form. */
  | string;

/** An answer, by the kind of its question. */
export type Answer =
  /** Picked options of a choice, in the order picked. */
  | {
    picks: Pick[];
  }
  /** Text, as typed. */
  | {
    text: string;
  }
  /** Yes or no. */
  | {
    confirm: boolean;
  }
  /** A step of a rating's scale. */
  | {
    rating: number;
  }
  /** A number. */
  | {
    number: Number;
  }
  /** A day. */
  | {
    date: string;
  }
  /** A time of day. */
  | {
    time: string;
  }
  /** A day with a time of day. */
  | {
    datetime: DateTime;
  };

/** A date with a time, `2026-03-01T14:00:00`, with or without an offset. */
export type DateTime = string;

/** One thing picked in a choice. */
export type Pick =
  /** One of the options. */
  | {
    option: OptionId;
  }
  /** An own answer, as typed. */
  | {
    other: string;
  };

/** An option within its question. Formats without ids number them `o1`, `o2`, …, as on the screen. */
export type OptionId = string;

/** A decimal number of at most 28 digits; a string of digits if JSON cannot express it exactly. */
export type Number = number | string;

/** One option of a choice. */
export type Option =
  /** Label that the person reads, and also its id if that is not too long. */
  | string
  /** Properties of the option. */
  | {
    /** Label that the person reads. */
    label: string;
    /** Identifies it within its question; numbered where it is left out. */
    id?: string;
    /** Value that you get for it, if that is not its id. */
    value?: string;
    /** Your suggestion: it is marked, never picked for the person. Consent takes none. */
    recommended?: boolean;
    /** Meaning. May be Markdown. */
    description?: string;
    /** Preview: a text of any length, shown next to the options. */
    preview?: string;
  };

export type KindName =
  /** One or several of some options. */
  | "choice"
  /** Typed text. */
  | "text"
  /** Yes or no. */
  | "confirm"
  /** A step on a scale of whole numbers. */
  | "rating"
  /** A number. */
  | "number"
  /** A day, `2026-03-01`. */
  | "date"
  /** A time of day, `14:30`. */
  | "time"
  /** A day with a time of day, `2026-03-01T14:30`. */
  | "datetime";

/** Action to be done. It is shown from these bytes and not from a summary. */
export interface Action {
  /** The tool that would do it, by its name. */
  tool: string;
  /** The action itself, as data: run, write, open and so on. */
  act: ActionKind;
}

/** Kinds of action that can be shown exactly, and all others. */
export type ActionKind =
  /** A program is started, with exactly these arguments. */
  | {
    run: {
      /** The program and its arguments. */
      argv: string[];
      /** In this folder. */
      folder?: string;
    };
  }
  /** A line is given to a shell. */
  | {
    shell: {
      /** The line. */
      command: string;
      /** In this folder. */
      folder?: string;
    };
  }
  /** A file is created or overwritten. */
  | {
    write: {
      /** The file. */
      path: string;
      /** The whole content. */
      content: string;
      /** The folder that the file is outside of, if it is: the one in which the agent works. */
      outside?: string;
      /** True if the file exists; otherwise unknown. */
      overwrites?: boolean;
    };
  }
  /** A file is changed. */
  | {
    edit: {
      /** The file. */
      path: string;
      /** The change, as a unified diff. */
      diff: string;
      /** The folder that the file is outside of, if it is: the one in which the agent works. */
      outside?: string;
    };
  }
  /** An address is opened or called. */
  | {
    open: {
      /** The address. */
      url: string;
    };
  }
  /** Any other tool: only those who know the tool know its effect. */
  | {
    call: {
      /** Arguments for the tool, as JSON text. */
      arguments: string;
    };
  };
