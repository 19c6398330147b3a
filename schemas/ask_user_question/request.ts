// Made by `sayso schema ask_user_question --as typescript`: do not edit.

/** Questions for the person, asked one after another. */
export interface AskUserQuestionInput {
  /** 1 to 4 questions, in the order asked. */
  questions: Question[];
}

/** One question. */
export interface Question {
  /** The complete question, ending with a question mark. At most 500 characters, counted in UTF-16 code units: an emoji counts 2. */
  question: string;
  /** A short label for the question, like Auth method. The answer comes back under it, so no two questions should share one. At most 12 characters, counted in UTF-16 code units: an emoji counts 2. */
  header: string;
  /** 2 to 4 options. Add no option for another answer: one is always offered. If you recommend one, put it first and end its label with (Recommended). */
  options: QuestionOption[];
  /** True where several options may be picked, since they do not exclude each other. */
  multiSelect: boolean;
}

/** One option. */
export interface QuestionOption {
  /** What the person reads and you get back: 1 to 5 words. At most 50 characters, counted in UTF-16 code units: an emoji counts 2. */
  label: string;
  /** What picking it means. At most 200 characters, counted in UTF-16 code units: an emoji counts 2. */
  description: string;
}
