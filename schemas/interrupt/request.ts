// Made by `sayso schema interrupt --as typescript`: do not edit.

/** Questions for a person: the arguments of ask_user, or an interrupt that has questions. An interrupt without questions, which asks for a decision, is an Interrupt. */
export interface AskUser {
  /** The questions, in the order asked. The answers come back in the same order. */
  questions: Question[];
}

/** What a client sends to resume a thread. */
export interface ResumeRequest {
  /** answer for questions; continue or cancel for a decision; cancel also declines questions. */
  action: "continue" | "cancel" | "answer";
  /** With cancel: why, for the agent. It may be left out. */
  reason?: string;
  /** With answer: an answer to each question, in their order. */
  answers?: string[] | null;
}

/** The data of an interrupt event. With questions it is answered; without, it is a decision whether to go on with what info, taskName and data say. */
export interface Interrupt {
  /** What is going on, in a sentence. */
  info?: string | null;
  /** What the task is called. */
  taskName?: string | null;
  /** What the agent's runtime says of the call. */
  data?: {
    /** The call that waits for the decision. Each call has an interrupt of its own. */
    action_requests?: ActionRequest[] | null;
  } | null;
  /** What the choices of a decision are called. */
  options?: InterruptOption[] | null;
  /** The questions; null or empty for a decision. */
  questions?: Question[] | null;
}

/** A choice of a decision. Give the one that goes on the value continue and the others the value cancel, under labels that say the same. Other words for yes and no are understood as values and as labels; exactly one choice must clearly agree. */
export type InterruptOption = string | {
  /** What the person reads. */
  label: string;
  /** What it stands for: continue or cancel. */
  value?: string | null;
};

/** A tool call that waits for a decision. */
export interface ActionRequest {
  /** The tool. */
  name: string;
  /** What it would be given. */
  args?: Record<string, unknown> | null;
}

/** One question with the options to choose from. */
export interface Question {
  /**
   * What is asked, as a whole sentence that can be understood by itself.
   * @example "Which colour should the button have?"
   */
  question: string;
  /** What can be chosen, in the order shown. One of them is. */
  options: QuestionOption[];
}

/** One option of a question. */
export interface QuestionOption {
  /**
   * What the person reads.
   * @example "Red"
   */
  label: string;
  /**
   * What you get when this is chosen. Where the person types an answer, you get the text instead.
   * @example "red"
   * @example "__custom__"
   */
  value: string;
  /**
   * Whether choosing this lets the person type an answer. At most one option of a question should.
   * @default false
   */
  allow_custom?: boolean;
}
