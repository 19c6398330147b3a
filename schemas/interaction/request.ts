// Made by `sayso schema interaction --as typescript`: do not edit.

/** A form for the user to fill in. */
export interface QuestionsAsk {
  schema: QuestionnaireSchema;
  /** Text shown before the form, such as the reason for asking. May be Markdown. */
  prompt?: string;
  /** What is shown once the form is answered. */
  completedView?: {
    /**
     * Whether the values are shown.
     * @default true
     */
    showInputs?: boolean;
    /** A sentence with {{action}} and {{fieldId}} in the places of values. */
    summaryTemplate?: string;
  };
  /**
   * Whether values are checked before you get them. Without checks you get whatever was entered.
   * @default true
   */
  validate?: boolean;
  /**
   * Whether dates and times must be ISO 8601; otherwise any text will do.
   * @default false
   */
  strict?: boolean;
  /**
   * After how many milliseconds to give up.
   * @default 300000
   */
  timeoutMs?: number;
  /**
   * What you get then: an error, or the same as when the user cancels.
   * @default "error"
   */
  onTimeout?: "error" | "async" | "cancel";
  /**
   * Whether you wait for the answer.
   * @default "sync"
   */
  mode?: "sync" | "async";
}

/** The form. Give either fields or sections, one of them and not both. */
export interface QuestionnaireSchema {
  /** Title of the form, in one line. */
  title?: string;
  /** What the form is about. May be Markdown. */
  description?: string;
  /** The fields of a simple form, in the order shown. */
  fields?: QuestionnaireField[];
  /** The steps of a longer form, in the order shown. */
  sections?: QuestionnaireSection[];
  /**
   * What is on the button that sends the values.
   * @default "Submit"
   */
  submitLabel?: string;
  /**
   * What is on the button that dismisses the form.
   * @default "Cancel"
   */
  cancelLabel?: string;
  /** Initial values of the fields, by field id. The user sees them before they are sent. */
  initialValues?: Record<string, unknown>;
}

/** A step of a form. */
export interface QuestionnaireSection {
  /** Its name within the form. */
  id: string;
  /** Its fields, in the order shown. */
  fields: QuestionnaireField[];
  /** What is on the button that leads on from it. */
  submitLabel?: string;
  /** Its heading. */
  title?: string;
  /** What it is about, under the heading. May be Markdown. */
  description?: string;
  /**
   * Whether the user may skip it: while all of it is empty, nothing in it is required.
   * @default false
   */
  optional?: boolean;
}

/** A field of a form: one question. */
export interface QuestionnaireField {
  /**
   * The name of its value in what you get. No other field may have it.
   * @example "email"
   */
  id: string;
  /** The control. select, radio and multiselect need options; boolean and checkbox are yes or no, and must be yes where they are required. */
  type: "text" | "textarea" | "number" | "boolean" | "select" | "multiselect" | "checkbox" | "radio" | "date" | "time" | "datetime";
  /** What you ask, in a few words or a sentence. */
  label: string;
  /**
   * A JavaScript regular expression, without flags, that must match somewhere in the value, for text and textarea.
   * @example "^[^@\\s]+@[^@\\s]+$"
   */
  pattern?: string;
  /** The most characters (UTF-16 code units), for text and textarea. */
  maxLength?: number;
  /** The fewest characters (UTF-16 code units), for text and textarea. */
  minLength?: number;
  /** More about it, shown with the label. May be Markdown. */
  description?: string;
  /**
   * Whether it must be filled in.
   * @default false
   */
  required?: boolean;
  /** An example of what to type. It is never sent. */
  placeholder?: string;
  /** Initial value, unless initialValues name the field. */
  defaultValue?: unknown;
  /**
   * Whether the value is checked while it is entered. What is sent is checked in any case.
   * @default true
   */
  validateOnClient?: boolean;
  /** What can be picked, for select, radio and multiselect. */
  options?: QuestionnaireOption[];
  /** The smallest number, for number. */
  min?: number;
  /** The largest number, for number. */
  max?: number;
  /** How far one step of the control goes, for number. No value is refused for it. */
  step?: number;
}

/** Something that can be picked. */
export interface QuestionnaireOption {
  /** What the user reads. */
  label: string;
  /** What you get for it. */
  value: string;
}
