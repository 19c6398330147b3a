// Answers in a list: for the review before they are sent, and after they were.
import type { Replies } from "../api.ts";
import { describeAnswerWithValues, labelWithValue } from "../text/describe.ts";
import { escapeLines } from "../text/display.ts";
import { button, h } from "../dom.ts";
import type { FormQuestion } from "../form.ts";
import type { Say } from "../i18n.ts";
import { plainText } from "../text/markdown.ts";
import { localizeText } from "../text/stored_text.ts";
import * as messages from "../messages.ts";

/** Returns the short name of a question. */
export function questionName(question: FormQuestion, say: Say): string {
  return plainText(question.label ?? "") || plainText(localizeText(question.prompt, say)) || say(messages.AllowAction);
}

/** One row of the list. */
export interface AnswerRow {
  question: FormQuestion;
  problem: string | undefined;
}

/** What a list has in addition to the answers. */
export interface AnswerListOptions {
  /** A button of each row leads to its question. */
  change?: (question: FormQuestion) => void;
  /** Each choice lists the options that were offered. */
  offered?: boolean;
}

/** Makes the list. */
export function createAnswerList(
  rows: readonly AnswerRow[],
  replies: Replies,
  say: Say,
  { change, offered = false }: AnswerListOptions = {},
): HTMLElement {
  const given = new Map(Object.entries(replies));
  const row = ({ question, problem }: AnswerRow) => {
    const name = questionName(question, say);
    const reply = given.get(question.id);
    const words = reply?.answer === undefined ? undefined : describeAnswerWithValues(question, reply.answer, say);
    const value = h("dd", { class: words === undefined ? "none" : "", dir: "auto" }, words === undefined ? say(messages.NotProvided) : words);
    if (problem !== undefined) value.append(h("span", { class: "error" }, problem));
    if (reply?.note !== undefined && reply.note.trim() !== "") value.append(h("span", { class: "remark", dir: "auto" }, say([messages.NoteSoFar, ""]) + escapeLines(reply.note).join("\n")));
    if (offered && question.options.length > 0) {
      const options = question.options.map(({ id, label }) => h("li", {}, labelWithValue(plainText(label), question.values.get(id), say)));
      value.append(h("span", { class: "remark" }, say([messages.OptionsOffered])), h("ul", { class: "remark", dir: "auto" }, ...options));
    }
    const parts: HTMLElement[] = [h("dt", { dir: "auto" }, name), value];
    if (change !== undefined) {
      const words = [say(messages.ChangeAnswer), h("span", { class: "hidden" }, `: ${name}`)];
      const opener = button("", { class: "small" }, () => change(question));
      opener.append(...words);
      parts.push(h("dd", { class: "change" }, opener));
    }
    return h("div", {}, ...parts);
  };
  return h("dl", { class: "answers" }, ...rows.map(row));
}
