// Conditions on earlier answers. A comparison with nothing is false, whichever way it compares.
import type { Answer, Condition, Pick, Value } from "../../../schemas/sayso/request.ts";
import type { Form, FormQuestion } from "../form.ts";
import { compareAnswer } from "./ordering.ts";
import { trim, trimmed } from "./text.ts";

/** Returns the answer to a question that counts: asked, of its kind, and not blank. */
export type AnswerSource = (question: FormQuestion) => Answer | undefined;

/** Returns true if a condition of a question, or of its section, holds. */
export function holds(
  form: Form,
  condition: Condition,
  owner: FormQuestion,
  answers: AnswerSource,
): boolean {
  const part = (inner: Condition) => holds(form, inner, owner, answers);
  if (condition.all !== undefined) return condition.all.every(part);
  if (condition.any !== undefined) return condition.any.some(part);
  if (condition.not !== undefined) return !part(condition.not);
  const named = condition.question === undefined
    ? form.questions[owner.parent ?? -1]
    : form.byId.get(condition.question);
  return named !== undefined && named.at < owner.at && checks(form, condition, named, answers(named));
}

function checks(form: Form, condition: Condition, question: FormQuestion, answer: Answer | undefined): boolean {
  if (answer === undefined) return condition.answered === false;
  const is = (value: Value) => equals(form, question, answer, value);
  const ordered = (value: Value) => compareAnswer(question.kind, answer, value);
  if (condition.answered !== undefined) return condition.answered;
  if (condition.is !== undefined) return is(condition.is);
  if (condition.any_of !== undefined) return condition.any_of.some(is);
  if (condition.all_of !== undefined) return condition.all_of.every(is);
  if (condition.none_of !== undefined) return !condition.none_of.some(is);
  if (condition.own_answer !== undefined) {
    return condition.own_answer === ("picks" in answer && answer.picks.some((pick) => "other" in pick));
  }
  if (condition.at_least !== undefined) return (ordered(condition.at_least) ?? -1) >= 0;
  if (condition.at_most !== undefined) return (ordered(condition.at_most) ?? 1) <= 0;
  return false;
}

function equals(form: Form, question: FormQuestion, answer: Answer, value: Value): boolean {
  const named = (pick: Pick) => {
    if ("option" in pick) return pick.option === value;
    return form.rules.own_answers_match === true && trimmed(form.rules, pick.other) === value;
  };
  if ("picks" in answer) return typeof value === "string" && answer.picks.some(named);
  if ("text" in answer) return typeof value === "string" && composed(answer.text) === composed(value);
  if ("confirm" in answer) return answer.confirm === value;
  return compareAnswer(question.kind, answer, value) === 0;
}

function composed(text: string): string {
  return trim(text).replaceAll("\r\n", "\n").normalize("NFC");
}
