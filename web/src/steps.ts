// The steps of a form: its sections, and the review behind them.
import type { FormQuestion } from "./form.ts";
import type { State } from "./reducer.ts";
import type { Sheet } from "./rules/sheet.ts";

/** The steps that can be shown now. */
export interface Steps {
  /** Numbers of the sections with a question that is asked; one step without sections. */
  sections: number[];
  /** Number of the review, if there is one. */
  review: number | undefined;
  /** The step shown. */
  current: number;
  /** Places among all steps. */
  place: number;
  all: number[];
}

/** Returns the steps of a state. */
export function stepsOf(state: State, sheet: Sheet, hasReview: boolean): Steps {
  const { form } = state;
  const count = form.sections.length;
  const isAsked = (section: number) => form.questions.some((question) => question.section === section && sheet.isAsked(question));
  const asked = form.sections.map((_, section) => section).filter(isAsked);
  const sections = count === 0 ? [0] : asked.length === 0 ? [0] : asked;
  const review = hasReview ? Math.max(count, 1) : undefined;
  const all = review === undefined ? sections : [...sections, review];
  // A section that is no longer asked gives way to the one before it.
  const place = Math.max(0, all.findLastIndex((step) => step <= state.step));
  return { sections, review, current: all[place] ?? 0, place, all };
}

/** Returns the asked questions of a step; of the review, all. */
export function questionsOf(state: State, sheet: Sheet, steps: Steps, step: number): FormQuestion[] {
  const { questions, sections } = state.form;
  return questions.filter((question) => sheet.isAsked(question)
    && (step === steps.review || sections.length === 0 || (question.section ?? 0) === step));
}
