// The steps of a form: its sections or its questions, and the review behind them.
import type { FormQuestion } from "./form.ts";
import type { State } from "./reducer.ts";
import type { Sheet } from "./rules/sheet.ts";

/** The steps that can be shown now. */
export interface Steps {
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
  const count = form.steps.length;
  const asked = new Set(form.questions.filter((question) => sheet.isAsked(question)).map(({ stepAt }) => stepAt));
  // Without steps, and if nothing is asked, there is one.
  const shown = asked.size === 0 ? [0] : [...asked];
  const review = hasReview ? Math.max(count, 1) : undefined;
  const all = review === undefined ? shown : [...shown, review];
  // A step that is no longer asked gives way to the one before it.
  const place = Math.max(0, all.findLastIndex((step) => step <= state.step));
  return { review, current: all[place] ?? 0, place, all };
}

/** Returns the asked questions of a step; of the review, all. */
export function questionsOf(state: State, sheet: Sheet, steps: Steps, step: number): FormQuestion[] {
  return state.form.questions.filter((question) => sheet.isAsked(question) && (step === steps.review || question.stepAt === step));
}
