// A request prepared for answering: its questions in the order asked, with ids, kinds and parents.
import type { Replies } from "./api.ts";
import type { Reply } from "../../schemas/sayso/outcome.ts";
import type {
  Answer, Condition, KindName, Question, Questionnaire, Rules, Section,
} from "../../schemas/sayso/request.ts";
import { HookPlan } from "./messages.ts";
import { shownValues } from "./rules/shown_values.ts";

/** Id of the reply whose note is on the whole form, and that has nothing else. */
export const FORM = "";

/** An option with its id. */
export interface ChoiceOption {
  id: string;
  label: string;
  value?: string;
  description?: string;
  preview?: string;
  recommended?: boolean;
}

/** A question of the form. */
export interface FormQuestion extends Omit<Question, "options" | "children" | "consent"> {
  at: number;
  id: string;
  kind: KindName;
  required: boolean;
  options: ChoiceOption[];
  parent: number | undefined;
  /** Number of its ancestors. */
  depth: number;
  section: number | undefined;
  /** Number of the step that shows it; 0 if there are none. */
  stepAt: number;
  /** The asker's mark: true for consent, false for an ordinary value. */
  mark: boolean | undefined;
  /** The answer to it is consent: nothing is prefilled or suggested. */
  consent: boolean;
  /** What the asker preset in a consent question: a suggestion, unless the person submitted it before. */
  preset: Answer | undefined;
  /** Values shown next to the labels of options, by their ids. */
  values: Map<string, string>;
}

/** What a step says of itself, as its section has it. */
export type Step = { [Name in "title" | "detail" | "optional" | "submit"]?: Section[Name] | undefined };

/** A prepared request. */
export interface Form {
  request: Questionnaire;
  rules: Rules;
  questions: FormQuestion[];
  sections: Section[];
  /** What is shown one after the other: the sections, or each question by itself; none if all is shown at once. */
  steps: Step[];
  byId: Map<string, FormQuestion>;
  /** It asks for consent. */
  asksConsent: boolean;
  /** It asks for nothing but the yes to its action: Approve and Decline are its buttons. */
  isPermission: boolean;
}

/** Prepares a request; `submitted` are the replies of the last round. With `isSingle` each question is a step. */
export function prepareForm(request: Questionnaire, submitted: Replies = {}, isSingle = false): Form {
  if (typeof request !== "object" || Array.isArray(request)) throw new TypeError("A request is an object.");
  const questions = questionsOf(request);
  const sections = request.sections ?? [];
  const hasAction = request.action !== undefined;
  const isConsent = consentTest(questions, hasAction);
  for (const question of questions) {
    question.consent = isConsent(question);
    const isSubmitted = JSON.stringify(submitted[question.id]?.answer) === JSON.stringify(question.prefill);
    question.preset = question.consent && !isSubmitted ? question.prefill : undefined;
    question.values = shownValues(question.options, hasAction);
  }
  const asksConsent = hasAction || questions.some(({ consent }) => consent);
  // The first of two questions with one id counts.
  const byId = new Map(questions.toReversed().map((question) => [question.id, question]));
  const [first] = questions;
  const isAct = hasAction || HookPlan.includes(first?.prompt ?? "");
  const isPermission = isAct && questions.length === 1 && first?.kind === "confirm" && first.consent;
  const steps = isSingle && questions.length > 1 ? splitSections(questions, sections) : sections;
  return { request, rules: { trim_text: true, ...request.rules }, questions, sections, steps, byId, asksConsent, isPermission };
}

/** Makes each question a step; the first of a section has its words, and the last its label of the button. */
function splitSections(questions: FormQuestion[], sections: Section[]): Step[] {
  return questions.map((question, at) => {
    question.stepAt = at;
    const { title, detail, optional, submit } = sections[question.section ?? -1] ?? {};
    const isFirst = questions[at - 1]?.section !== question.section;
    const isLast = questions[at + 1]?.section !== question.section;
    return { title, optional, detail: isFirst ? detail : undefined, submit: isLast ? submit : undefined };
  });
}

/** Returns the questions in the order asked; none is marked as consent yet. */
export function questionsOf({ questions, sections }: Questionnaire): FormQuestion[] {
  const found: FormQuestion[] = [];
  collect(found, questions ?? [], undefined, undefined);
  (sections ?? []).forEach((section, index) => collect(found, section.questions ?? [], index, undefined));
  return found;
}

/** Returns the test for consent questions, as the desk has it (`ConsentQuestions`). */
function consentTest(questions: FormQuestion[], hasAction: boolean): (question: FormQuestion) => boolean {
  const canTake = ({ kind, mark }: FormQuestion): boolean => kind === "confirm" && mark !== false;
  const required = questions.filter((question) => question.required);
  const decisive = required.length > 0 ? required : questions;
  const hasConfirm = questions.some(canTake);
  if (hasAction && !hasConfirm) return ({ kind }) => kind === "choice";
  if (hasConfirm && (hasAction || decisive.every(canTake))) return canTake;
  return ({ kind, mark }) => kind === "confirm" && mark === true;
}

function collect(
  questions: FormQuestion[],
  list: Question[],
  section: number | undefined,
  parent: FormQuestion | undefined,
): void {
  for (const entry of list) {
    const { options, children, consent: mark, ...members } = entry;
    if (typeof entry.prompt !== "string") throw new TypeError("A question has a prompt.");
    const kind = entry.kind ?? (options === undefined ? "text" : "choice");
    const question: FormQuestion = {
      ...members,
      at: questions.length,
      id: entry.id ?? `q${questions.length}`,
      kind,
      required: entry.required ?? true,
      options: (options ?? []).map((option, index) =>
        typeof option === "string" ? { id: option, label: option } : { ...option, id: option.id ?? `o${index + 1}` }),
      parent: parent?.at,
      depth: parent === undefined ? 0 : parent.depth + 1,
      section,
      stepAt: section ?? 0,
      mark,
      consent: false,
      preset: undefined,
      values: new Map(),
    };
    questions.push(question);
    collect(questions, children ?? [], section, question);
  }
}

/** Returns the asker's prefill of a question, unless that would be consent. */
export function prefillOf(question: FormQuestion): Answer | undefined {
  return question.consent ? undefined : question.prefill;
}

/** Returns true if an option has the mark of a suggestion, as the desk has it (`ConsentQuestions::suggests`). */
export function suggests({ preset }: FormQuestion, option: ChoiceOption): boolean {
  const picks = preset !== undefined && "picks" in preset ? preset.picks : [];
  return option.recommended === true || picks.some((pick) => "option" in pick && pick.option === option.id);
}

/** Returns true if yes or no has the mark of a suggestion: the asker preset the answer to a consent question. */
export function suggestsConfirm({ preset }: FormQuestion, confirmed: boolean): boolean {
  return preset !== undefined && "confirm" in preset && preset.confirm === confirmed;
}

/** Returns the asker's name for a question. */
export function askerKey(question: FormQuestion): string {
  return question.key ?? question.id;
}

/** Returns the conditions under which a question is asked, beside its parent's answer. */
export function conditionsOf(form: Form, question: FormQuestion): Condition[] {
  const section = question.section === undefined ? undefined : form.sections[question.section]?.show_if;
  return [section, question.show_if].filter((condition) => condition !== undefined);
}

/** Returns the bound of a constraint, with the asker's words if it has some. */
export function boundOf(
  question: FormQuestion,
  name: "max_picks" | "max_length" | "min" | "max",
): { value: string | number | boolean; message: string | undefined } | undefined {
  for (const constraint of question.constraints ?? []) {
    const value = constraint[name];
    if (value !== undefined) return { value, message: constraint.message };
  }
  return undefined;
}

/** Returns whether these replies agree to what is asked: to an action without a question for a yes, any do. */
export function agrees(form: Form, replies: Record<string, Reply>): boolean {
  const asked = form.questions.filter(({ consent }) => consent);
  const isGiven = ({ id }: FormQuestion) => {
    const answer = replies[id]?.answer;
    return answer !== undefined && !("confirm" in answer && !answer.confirm);
  };
  return asked.length === 0 ? form.asksConsent : asked.some(isGiven);
}

/** Returns whether every yes that was asked for consent was given; undefined if none was. */
export function decisionOf(form: Form, replies: Record<string, Reply>): boolean | undefined {
  const answers = form.questions.filter(({ consent }) => consent).map(({ id }) => replies[id]?.answer);
  const decided = answers.filter((answer) => answer !== undefined && "confirm" in answer);
  return decided.length === 0 ? undefined : decided.every(({ confirm }) => confirm);
}
