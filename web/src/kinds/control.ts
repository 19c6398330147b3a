// What the control of every kind of question has in common.
import type { Reply } from "../../../schemas/sayso/outcome.ts";
import type { Answer, Rules } from "../../../schemas/sayso/request.ts";
import type { Message, Say } from "../i18n.ts";

/** What a control shows. */
export interface ControlView {
  reply: Reply;
  /** Nothing can be changed. */
  locked: boolean;
  /** What is wrong shows below it. */
  invalid: boolean;
  required: boolean;
}

/** The control of one question. */
export interface Control {
  root: HTMLElement;
  /** It is several controls, so that it needs a group with the question as its name. */
  group: "group" | "radiogroup" | undefined;
  show(view: ControlView): void;
}

/** What a control may use. */
export interface Context {
  say: Say;
  rules: Rules;
  /** The form's own buttons are the yes and the no. */
  isPermission: boolean;
  /** Prefix of ids within the shadow root. */
  id: string;
  /** Ids of the question's words, and of what is said about it. */
  labelledBy: string;
  describedBy: string;
  /** Sets the answer; without one, the question is unanswered again. */
  change(answer: Answer | undefined, more?: { aside?: string | undefined; unreadable?: boolean }): void;
  /** Says that something had no effect. */
  refuse(message: Message): void;
}

/** Makes the control of a question. */
export type CreateControl<Question> = (question: Question, context: Context) => Control;
