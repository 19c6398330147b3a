// A form with the replies so far: which questions are asked, what counts, what is wrong, and what is sent.
import type { Replies } from "../api.ts";
import type { Reply } from "../../../schemas/sayso/outcome.ts";
import type { Answer, Pick, Rules } from "../../../schemas/sayso/request.ts";
import { conditionsOf, FORM, prefillOf, type Form, type FormQuestion } from "../form.ts";
import type { Message } from "../i18n.ts";
import { holds } from "./condition.ts";
import { isBlankAnswer, isOfKind, judge, missingMessage, wantedAnswer } from "./judge.ts";
import { trim, trimmed } from "./text.ts";
import * as messages from "../messages.ts";

/** What a person has given so far. */
export interface Input {
  form: Form;
  /** Replies of a person. */
  replies: ReadonlyMap<string, Reply>;
  /** Questions whose control holds something that is no answer of their kind. */
  unreadable: ReadonlySet<string>;
  /** Optional sections that a person passed over. */
  skipped: ReadonlySet<number>;
}

/** The sheet of an input. */
export interface Sheet {
  isAsked(question: FormQuestion): boolean;
  /** Returns the answer that counts. */
  value(question: FormQuestion): Answer | undefined;
  isRequired(question: FormQuestion): boolean;
  /** Returns what blocks the submission at a question. */
  problem(question: FormQuestion): Message | undefined;
  /** Returns what is missing as a whole. */
  wholeProblem(): Message | undefined;
}

const UNANSWERED: Reply = { state: "unanswered" };

/** Returns the reply that shows at a question: a person's, or else the asker's prefill. */
export function replyAt(input: Input, question: FormQuestion): Reply {
  const reply = input.replies.get(question.id);
  if (reply !== undefined) return reply;
  const answer = prefillOf(question);
  return answer === undefined ? UNANSWERED : { state: "answered", answer };
}

/** Returns the reply to a consent question without its answer: consent is given here, or not at all. */
export function withoutAnswer({ answer, ...rest }: Reply): Reply {
  return answer === undefined ? rest : { ...rest, state: "unanswered" };
}

/** Returns the replies that show, without those that no one has given. */
export function answersOf(input: Input): Replies {
  const given = input.form.questions.map((question) => [question.id, replyAt(input, question)] as const);
  const note = input.replies.get(FORM);
  const all = note === undefined ? given : [...given, [FORM, note] as const];
  return Object.fromEntries(all.filter(([id, reply]) => input.replies.has(id) || reply.answer !== undefined));
}

/** Decides everything about an input, in one pass. */
export function sheetOf(input: Input): Sheet {
  const { form, skipped } = input;
  const { rules } = form;
  const asked: boolean[] = [];
  const values: (Answer | undefined)[] = [];
  const value = (question: FormQuestion) => (asked[question.at] === true ? values[question.at] : undefined);
  for (const question of form.questions) {
    const { answer } = replyAt(input, question);
    const isSkipped = question.section !== undefined && skipped.has(question.section);
    const counts = answer !== undefined && !isSkipped && !input.unreadable.has(question.id)
      && isOfKind(question, rules, answer) && !isBlankAnswer(question, rules, answer);
    values.push(counts ? answer : undefined);
    asked.push(isAsked(form, question, asked, value));
  }
  const begun = begunSections(form, value);
  const isRequired = (question: FormQuestion) =>
    question.required && asked[question.at] === true && rules.unjudged !== true
    && (question.section === undefined
      || form.sections[question.section]?.optional !== true
      || begun.has(question.section));
  return {
    isAsked: (question) => asked[question.at] === true,
    value,
    isRequired,
    problem: (question) => problemAt(input, question, value(question), asked[question.at] === true && isRequired(question)),
    wholeProblem() {
      const isSilent = form.questions.every((question) =>
        asked[question.at] !== true || (value(question) === undefined && !replyAt(input, question).note));
      return rules.some_answer === true && rules.unjudged !== true && isSilent && formNote(input) === "" ? messages.NeedsSomeAnswer : undefined;
    },
  };
}

function isAsked(
  form: Form,
  question: FormQuestion,
  asked: boolean[],
  value: (question: FormQuestion) => Answer | undefined,
): boolean {
  const parent = question.parent === undefined ? undefined : form.questions[question.parent];
  if (parent !== undefined) {
    if (asked[parent.at] !== true) return false;
    if (question.show_if === undefined && value(parent) === undefined) return false;
  }
  return conditionsOf(form, question).every((condition) => holds(form, condition, question, value));
}

/** Returns the sections with an answer, in which required questions are required. */
function begunSections(form: Form, value: (question: FormQuestion) => Answer | undefined): Set<number> {
  const begun = new Set<number>();
  for (const question of form.questions) {
    const answer = value(question);
    const isNo = answer !== undefined && "confirm" in answer && !answer.confirm && form.rules.must_be_true === true;
    if (question.section !== undefined && answer !== undefined && !isNo) begun.add(question.section);
  }
  return begun;
}

function problemAt(
  input: Input,
  question: FormQuestion,
  value: Answer | undefined,
  isRequired: boolean,
): Message | undefined {
  const { form: { rules } } = input;
  const isSkipped = question.section !== undefined && input.skipped.has(question.section);
  if (isSkipped) return undefined;
  const { answer } = replyAt(input, question);
  if (input.unreadable.has(question.id)) return rules.unjudged === true ? undefined : wantedAnswer(question);
  if (value !== undefined) return judge(question, rules, value);
  if (answer !== undefined && !isOfKind(question, rules, answer)) return judge(question, rules, answer);
  return isRequired ? missingMessage(question) : undefined;
}

/** Returns the replies to submit, one for every question. */
export function submission(input: Input, sheet: Sheet): Record<string, Reply> {
  const { form } = input;
  const replies = Object.fromEntries(form.questions.map((question) => [question.id, submittedReply(input, sheet, question)]));
  const note = trim(formNote(input));
  return note === "" ? replies : { ...replies, [FORM]: { state: "unanswered", note } };
}

/** Returns the note on the whole form, as typed. */
export function formNote({ replies }: Input): string {
  return replies.get(FORM)?.note ?? "";
}

function submittedReply(input: Input, sheet: Sheet, question: FormQuestion): Reply {
  if (!sheet.isAsked(question)) return { state: "not_asked" };
  const reply = replyAt(input, question);
  const answer = sheet.value(question);
  const isSkipped = question.section !== undefined && input.skipped.has(question.section);
  const note = trim(reply.note ?? "");
  const noted = note === "" ? {} : { note };
  if (answer !== undefined) return { state: "answered", answer: trimAnswer(input.form.rules, answer), ...noted };
  if (isSkipped || reply.state === "skipped") return { state: "skipped", ...noted };
  // A no that does not suffice for a required yes is sent all the same.
  const given = reply.answer;
  if (given !== undefined && "confirm" in given) return { state: "answered", answer: given, ...noted };
  return { state: "unanswered", ...noted };
}

function trimAnswer(rules: Rules, answer: Answer): Answer {
  if ("text" in answer) return { text: trimmed(rules, answer.text) };
  if (!("picks" in answer)) return answer;
  const pick = (one: Pick): Pick => ("other" in one ? { other: trimmed(rules, one.other) } : one);
  return { picks: answer.picks.map(pick) };
}
