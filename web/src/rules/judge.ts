// Judgement of one answer: its kind first, then the asker's constraints in their order; the first that fails is
// reported. Patterns are left to the desk and the asker.
import type { Answer, Constraint, Pick, Rules } from "../../../schemas/sayso/request.ts";
import type { FormQuestion } from "../form.ts";
import type { Message } from "../i18n.ts";
import { compareAnswer, isMultiple, exactNumber } from "./ordering.ts";
import { isBlank, lengthOf, trim } from "./text.ts";
import * as messages from "../messages.ts";

/** Returns true if an answer has the kind of a question, valid or not. */
export function isOfKind(question: FormQuestion, rules: Rules, answer: Answer): boolean {
  switch (question.kind) {
    case "choice": return "picks" in answer;
    case "text": return "text" in answer;
    case "date": case "time": case "datetime":
      return question.kind in answer || (rules.loose_dates === true && "text" in answer);
    default: return question.kind in answer;
  }
}

function isBlankOther(rules: Rules, text: string): boolean {
  return rules.empty_other !== true && isBlank(rules, text);
}

/** Returns true if an answer counts as none. */
export function isBlankAnswer(question: FormQuestion, rules: Rules, answer: Answer): boolean {
  if ("text" in answer) return isBlank(rules, answer.text);
  if ("confirm" in answer) return question.required && rules.must_be_true === true && !answer.confirm;
  if (!("picks" in answer)) return false;
  const [first] = answer.picks;
  if (first === undefined) return rules.empty_picks !== true;
  return answer.picks.length === 1 && "other" in first && isBlankOther(rules, first.other);
}

/** Returns the message for a question without its required answer. */
export function missingMessage(question: FormQuestion): Message {
  const fails = ({ required, min_picks, min_length }: Constraint) =>
    required === true
    || (question.kind === "choice" && (min_picks ?? 0) > 0)
    || (question.kind === "text" && (min_length ?? 0) > 0);
  const worded = question.constraints?.find((constraint) => constraint.message !== undefined && fails(constraint));
  return worded?.message ?? messages.NeedsAnswer;
}

/** Returns the limits of an answer that are known before it is given. */
export function limitsOf(question: FormQuestion, rules: Rules): Message[] {
  if (rules.unjudged === true || question.unchecked === true || question.consent) return [];
  return (question.constraints ?? []).flatMap(({ min_picks, max_picks, min_length, max_length, min, max, multiple_of }) => {
    const isDay = (value: unknown) => typeof value === "string" && exactNumber(value) === undefined;
    const limits: (Message | undefined)[] = [
      min_picks === undefined || min_picks < 2 ? undefined : [messages.MinPicks, min_picks],
      max_picks === undefined || max_picks >= question.options.length ? undefined : [messages.MaxPicks, max_picks],
      min_length === undefined || min_length < 2 ? undefined : [messages.MinLength, min_length],
      max_length === undefined ? undefined : [messages.MaxLength, max_length],
      min === undefined ? undefined : [isDay(min) ? messages.NotBefore : messages.AtLeast, String(min)],
      max === undefined ? undefined : [isDay(max) ? messages.NotAfter : messages.AtMost, String(max)],
      multiple_of === undefined ? undefined : [messages.MultipleOf, String(multiple_of)],
    ];
    return limits.filter((limit) => limit !== undefined);
  }).concat(question.step === undefined ? [] : [[messages.StepsBy, String(question.step)]]);
}

/** Returns what is wrong with an answer that is not blank. */
export function judge(question: FormQuestion, rules: Rules, answer: Answer): Message | undefined {
  if (rules.unjudged === true) return undefined;
  const wrong = kindProblem(question, rules, answer);
  if (wrong !== undefined) return question.constraints?.find(({ fits }) => fits === true)?.message ?? wrong;
  if (question.unchecked === true) return undefined;
  for (const constraint of question.constraints ?? []) {
    const failed = unmet(question, rules, constraint, answer);
    if (failed !== undefined) return constraint.message ?? failed;
  }
  return undefined;
}

/** Returns the answers that a box wants, in words. */
export function wantedAnswer({ kind, min = 1, max = 5 }: FormQuestion): Message {
  switch (kind) {
    case "rating": return [messages.WantsRating, min, max];
    case "number": return messages.WantsNumber;
    case "date": case "time": case "datetime": return messages.DateIncomplete;
    // No control gives such an answer; the desk says it more exactly.
    default: return messages.DoesNotFit;
  }
}

function kindProblem(question: FormQuestion, rules: Rules, answer: Answer): Message | undefined {
  const { min = 1, max = 5 } = question;
  if ("picks" in answer && question.kind === "choice") return pickProblem(question, rules, answer.picks);
  const isWrong = !isOfKind(question, rules, answer)
    || ("rating" in answer && !(answer.rating >= min && answer.rating <= max))
    || ("number" in answer && exactNumber(answer.number) === undefined);
  return isWrong ? wantedAnswer(question) : undefined;
}

function pickProblem(question: FormQuestion, rules: Rules, picks: Pick[]): Message | undefined {
  const own = picks.filter((pick) => "other" in pick);
  const options = picks.flatMap((pick) => ("option" in pick ? [pick.option] : []));
  const [typed] = own;
  const isWrong = (picks.length > 1 && question.multi !== true && rules.loose_single !== true)
    || options.some((id) => question.options.every((option) => option.id !== id))
    || (new Set(options).size < options.length && rules.repeated_picks !== true)
    || own.length > (hasOther(question) ? 1 : 0)
    || (own.length > 0 && picks.length > 1 && rules.other_alone === true);
  if (isWrong) return messages.DoesNotFit;
  if (typed === undefined) return undefined;
  if (isBlankOther(rules, typed.other)) return messages.NeedsAnswer;
  const text = trim(typed.other);
  return rules.reserved?.includes(text) === true ? [messages.OwnReserved, text] : undefined;
}

/** Returns true if a typed own answer is offered. */
export function hasOther(question: FormQuestion): boolean {
  return question.other === true || question.other_label !== undefined || question.other_at !== undefined;
}

function unmet(question: FormQuestion, rules: Rules, constraint: Constraint, answer: Answer): Message | undefined {
  const { min_picks, max_picks, min_length, max_length, min, max, multiple_of } = constraint;
  if ("picks" in answer) {
    const count = answer.picks.length;
    if (min_picks !== undefined && count < min_picks) return min_picks === 1 ? messages.MinPicksOne : [messages.MinPicks, min_picks];
    if (max_picks !== undefined && count > max_picks) return [messages.MaxPicks, max_picks];
  }
  if ("text" in answer && question.kind === "text") {
    const length = lengthOf(rules, answer.text);
    if (min_length !== undefined && length < min_length) return [messages.MinLength, min_length];
    if (max_length !== undefined && length > max_length) return [messages.MaxLength, max_length];
  }
  const isDay = (value: unknown) => typeof value === "string" && exactNumber(value) === undefined;
  if (min !== undefined && (compareAnswer(question.kind, answer, min) ?? 0) < 0) {
    return [isDay(min) ? messages.NotBefore : messages.AtLeast, String(min)];
  }
  if (max !== undefined && (compareAnswer(question.kind, answer, max) ?? 0) > 0) {
    return [isDay(max) ? messages.NotAfter : messages.AtMost, String(max)];
  }
  if (multiple_of !== undefined && "number" in answer && !isMultiple(answer.number, multiple_of)) {
    return [messages.MultipleOf, String(multiple_of)];
  }
  return undefined;
}
