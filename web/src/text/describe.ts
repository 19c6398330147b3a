// An answer in words, as a person would say it.
import type { Answer, Pick } from "../../../schemas/sayso/request.ts";
import { askerKey, type Form, type FormQuestion } from "../form.ts";
import type { Say } from "../i18n.ts";
import type { Replies } from "../api.ts";
import * as messages from "../messages.ts";
import { escapeLines } from "./display.ts";

/** Returns an answer in words. They may hold an agent's text, and are not escaped. */
export function describeAnswer(question: FormQuestion, answer: Answer, say: Say): string {
  if ("text" in answer) return answer.text;
  if ("picks" in answer) return answer.picks.map((pick) => pickLabel(question, pick)).join(", ");
  if ("confirm" in answer) return confirmLabel(question, answer.confirm, say);
  if ("rating" in answer) {
    const note = question.annotations?.[answer.rating];
    return note === undefined ? String(answer.rating) : `${answer.rating} (${note})`;
  }
  if ("number" in answer) return String(answer.number);
  if ("date" in answer) return answer.date;
  return "time" in answer ? shortTime(answer.time) : shortTime(answer.datetime.replace(/[Tt]/, " "));
}

/** Returns an answer in words, with the values that are shown next to its labels. It is escaped. */
export function describeAnswerWithValues(question: FormQuestion, answer: Answer, say: Say): string {
  const safe = (words: string) => escapeLines(words).join("\n");
  if ("confirm" in answer) return confirmLabel(question, answer.confirm, say);
  if (!("picks" in answer)) return safe(describeAnswer(question, answer, say));
  const words = answer.picks.map((pick) => {
    const value = "other" in pick ? undefined : question.values.get(pick.option);
    return labelWithValue(safe(pickLabel(question, pick)), value, say);
  });
  return words.join(", ");
}

/** Returns a label with the value that is shown next to it. */
export function labelWithValue(label: string, value: string | undefined, say: Say): string {
  return value === undefined ? label : `${label} [${say([messages.ItsValue, value])}]`;
}

/** Returns a time without seconds that are zero. */
export function shortTime(time: string): string {
  return time.replace(/(:\d\d):00(?![\d.])/, "$1");
}

function pickLabel(question: FormQuestion, pick: Pick): string {
  if ("other" in pick) return pick.other;
  return question.options.find(({ id }) => id === pick.option)?.label ?? pick.option;
}

/** Returns the asker's label of yes or no, unless it is only our own word. */
export function askerConfirmLabel(question: FormQuestion, yes: boolean, say: Say): string | undefined {
  const label = (yes ? question.yes : question.no)?.trim();
  const isOurs = label?.toLowerCase() === say([yes ? messages.Yes : messages.No]).toLowerCase();
  return label === undefined || label === "" || isOurs ? undefined : label;
}

/** Returns yes or no in our own word, with the asker's label as a quotation behind it. */
export function confirmLabel(question: FormQuestion, yes: boolean, say: Say): string {
  const ours = say([yes ? messages.Yes : messages.No]);
  const label = askerConfirmLabel(question, yes, say);
  return label === undefined ? ours : say([messages.Quotes, ours, label]);
}

/** Fills answers into a summary with `{{question id}}`. */
export function fillSummary(form: Form, template: string, replies: Replies, say: Say): string {
  const given = new Map(Object.entries(replies));
  return template.replaceAll(/\{\{\s*(.*?)\s*\}\}/g, (_, name: string) => {
    const question = form.questions.find((one) => askerKey(one) === name);
    const answer = question === undefined ? undefined : given.get(question.id)?.answer;
    if (question === undefined) return name === "action" ? "submit" : "";
    return answer === undefined ? "" : describeAnswer(question, answer, say);
  });
}
