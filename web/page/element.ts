import type { Questionnaire, SaysoQuestionnaireElement, SeenLines } from "../src/api.ts";
import { hasOneQuestion } from "./views/outline.ts";
import type { Ask, DeskProblem, Replies } from "./desk/requests.ts";

/** Events of the element, carried to the desk by the page. */
export interface ElementListener {
  onChange(changes: Replies): void;
  onSubmit(replies: Replies, seen: SeenLines | undefined): void;
  onDecline(reason: string | undefined): void;
}

/** Loads the element, unless it is there: the inbox needs none, the page of an ask names it in its head. */
export async function loadElement(): Promise<void> {
  const address = "/sayso-questionnaire.js";
  if (!customElements.get("sayso-questionnaire") && !document.querySelector(`script[src="${address}"]`)) await import(address);
  await customElements.whenDefined("sayso-questionnaire");
}

/** Returns whether a form begins with its act or its questions: it has neither title nor context. */
export function isBare({ title, context }: Questionnaire): boolean {
  return !title?.trim() && context === undefined;
}

/** Creates the element for an ask. */
export function createQuestionnaire(ask: Ask, answers: Replies, listener: ElementListener): SaysoQuestionnaireElement {
  const element = document.createElement("sayso-questionnaire");
  element.submitted = ask.phase.open?.refused?.replies;
  element.oneQuestion = hasOneQuestion();
  element.request = ask.questionnaire;
  element.answers = answers;
  element.classList.toggle("bare", isBare(ask.questionnaire));
  element.hostReview = true;
  element.formNote = true;
  element.addEventListener("sayso-change", ({ detail: { answers, changed } }) => {
    listener.onChange(Object.fromEntries(changed.map((id) => [id, answers[id] ?? { state: "unanswered" }])));
  });
  element.addEventListener("sayso-submit", ({ detail }) => {
    // The reply to a question that is not asked stays in the draft as it is.
    const asked = Object.entries(detail.replies).filter(([, { state }]) => state !== "not_asked");
    listener.onSubmit(Object.fromEntries(asked), detail.seen);
  });
  element.addEventListener("sayso-decline", ({ detail }) => listener.onDecline(detail.reason));
  return element;
}

/** Shows problems that the desk found at their questions. */
export function showProblems(element: SaysoQuestionnaireElement, problems: DeskProblem[]): void {
  const found = problems.map(({ path, ...problem }) => {
    const [first, ...rest] = path ?? [];
    return path ? { ...problem, path: [first === "replies" ? "answers" : String(first), ...rest] } : problem;
  });
  // Each save brings problems, most often the same as before.
  if (JSON.stringify(found) !== JSON.stringify(element.problems)) element.problems = found;
}
