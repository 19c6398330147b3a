// How an ask ended.
import type { Completion, Replies } from "../api.ts";
import { fillSummary } from "../text/describe.ts";
import { escapeLines } from "../text/display.ts";
import { h } from "../dom.ts";
import { decisionOf, FORM, type Form } from "../form.ts";
import type { Sentence, Say } from "../i18n.ts";
import { createAnswerList } from "./answers.ts";
import * as messages from "../messages.ts";

const HEADS: Record<Completion["outcome"], Sentence> = {
  answered: messages.AnsweredHead, declined: messages.DeclinedHead, cancelled: messages.CancelledHead, expired: messages.ExpiredHead,
};

/** Makes the view of an ask that ended. */
export function createCompleted(form: Form, completion: Completion, typed: Replies, say: Say): HTMLElement {
  const { outcome } = completion;
  const consent = outcome === "answered" ? decisionOf(form, completion.replies) : undefined;
  const head = consent === undefined ? HEADS[outcome] : consent ? messages.ApprovedHead : messages.AnsweredNoHead;
  const root = h("section", { class: `completed ${consent === false ? "declined" : outcome}`, part: "completed" }, h("h2", {}, say([head])));
  const text = (words: string) => root.append(h("p", { dir: "auto", class: "said" }, escapeLines(words).join("\n")));
  const replies = outcome === "answered" ? completion.replies : typed;
  const view = form.request.completed;
  if (outcome === "answered" && view?.summary !== undefined) text(fillSummary(form, view.summary, replies, say));
  if (outcome === "declined" && completion.reason !== undefined) text(completion.reason);
  const given = new Map(Object.entries(replies));
  const rows = form.questions
    .filter(({ id }) => (outcome === "answered" ? given.get(id)?.state !== "not_asked" : given.get(id)?.answer !== undefined))
    .map((question) => ({ question, problem: undefined }));
  const note = given.get(FORM)?.note ?? "";
  const isShown = outcome === "answered" ? view?.answers ?? true : rows.length > 0 || note !== "";
  if (isShown) {
    if (outcome !== "answered") root.append(h("p", { class: "none" }, say(messages.TypedNotSent)));
    root.append(createAnswerList(rows, replies, say, { offered: outcome === "answered" }));
    if (note !== "") root.append(h("p", { class: "remark", dir: "auto" }, `${say(messages.FormNoteHead)} ${escapeLines(note).join("\n")}`));
  }
  return root;
}
