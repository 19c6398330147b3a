import type { SeenLines } from "../../src/api.ts";
import type { Review, ReviewRow } from "../desk/requests.ts";
import { button, h } from "../../src/dom.ts";
import { FORM } from "../../src/form.ts";
import { say } from "../words.ts";

/** What a person can do on the review. */
export interface ReviewActions {
  change(question: string): void;
  send(): void;
  /** Returns the count of lines that were drawn, unless all were or nothing is agreed to. */
  seen(): SeenLines | undefined;
  showUnseen(): void;
  back(): void;
  decline(): void;
}

/** A press that comes this soon after the review appeared was meant for the page before it. */
const GUARD_MS = 350;

function answerWords(row: ReviewRow): HTMLElement {
  if (row.state === "answered" && row.answer !== undefined) {
    const words = h("span", { class: "answer", dir: "auto" }, row.answer);
    if (row.sends !== undefined) words.append(h("small", { class: "sends" }, ` [${say("ItsValue", { safe: row.sends })}]`));
    return words;
  }
  return h("span", { class: "none" }, say(row.state === "skipped" ? "PageSkipped" : "NotProvided"));
}

/** Returns the list of questions with their answers in words, which the desk has escaped; `change` adds a button to each. */
export function answerList(rows: ReviewRow[], change?: (question: string) => void): HTMLDListElement {
  const list = h("dl", { class: "answers" });
  for (const row of rows) {
    const answer = h("dd", {}, answerWords(row));
    if (row.note !== undefined) answer.append(h("p", { class: "note" }, `${say("PageNote")} `, h("q", { dir: "auto" }, row.note)));
    if (row.because !== undefined) answer.append(h("p", { class: "note" }, say("HiddenBy", { safe: row.because })));
    const line = h("div", { class: "line" }, h("dt", { dir: "auto" }, row.prompt), answer);
    if (change) {
      const label = h("span", { class: "hidden-text" }, ` ${row.prompt}`);
      const press = button(say("ChangeAnswer"), { class: "link" }, () => change(row.question));
      press.append(label);
      line.append(h("dd", { class: "change" }, press));
    }
    list.append(line);
  }
  return list;
}

/** Returns the note on the whole form with the button that leads to it, and whether notes reach the agent. */
function formNote({ note, rows, carries_notes: carries }: Review, actions: ReviewActions): HTMLElement {
  const line = h("p", { class: "form-note" });
  if (note !== undefined) line.append(`${say("FormNoteHead")} `, h("q", { dir: "auto" }, note), " ");
  const words = say(note === undefined ? "AddFormNote" : "ChangeAnswer");
  const press = button(words, { class: "link" }, () => actions.change(FORM));
  if (note !== undefined) press.append(h("span", { class: "hidden-text" }, ` ${say("FormNoteLabel")}`));
  line.append(press);
  const hasNotes = note !== undefined || rows.some((row) => row.note !== undefined);
  if (hasNotes && !carries) line.append(" ", say("NotesNotCarried"));
  return line;
}

function problemSummary(review: Review, actions: ReviewActions): HTMLElement | undefined {
  if (review.problems.length === 0) return undefined;
  const items = review.problems.map(({ detail, path }) => {
    const question = path?.[0] === "replies" && typeof path[1] === "string" ? path[1] : undefined;
    const words = h("li", {});
    words.append(question === undefined ? detail : button(detail, { class: "link" }, () => actions.change(question)));
    return words;
  });
  const heading = h("h3", {}, say(items.length === 1 ? "ProblemCountOne" : "ProblemCount", items.length));
  const summary = h("div", { class: "summary", tabindex: -1 }, heading, h("ul", {}, ...items));
  summary.setAttribute("role", "alert");
  return summary;
}

/** Creates the page that shows everything that would be sent, and everything that would not, before it is. */
export function reviewView(review: Review, to: string, actions: ReviewActions): HTMLElement {
  const shownAt = performance.now();
  const answered = review.rows.filter(({ state }) => state === "answered").length;
  const unseen = h("p", { class: "actions", hidden: true });
  const send = button(say("PageSendTo", answered, to), { class: "primary" }, () => {
    if (performance.now() - shownAt < GUARD_MS) return;
    const seen = actions.seen();
    if (seen === undefined) return actions.send();
    const show = button(say("ShowUnseen"), { class: "quiet" }, actions.showUnseen);
    unseen.replaceChildren(show, button(say("YesUnread", seen.total - seen.shown, seen.total), {}, actions.send));
    unseen.hidden = false;
    show.focus();
  });
  send.disabled = !review.ready;
  // A key that is held down since the page before sends nothing.
  send.addEventListener("keydown", (event) => {
    if (event.repeat) event.preventDefault();
  });
  const view = h("section", { class: "review", tabindex: -1 }, h("h2", {}, say("CheckHead")));
  view.append(problemSummary(review, actions) ?? "", answerList(review.rows, actions.change));
  if (review.unsent.length > 0) {
    view.append(h("h3", {}, say("PageNotSent")), answerList(review.unsent));
  }
  view.append(formNote(review, actions));
  const back = button(say("PageBackToQuestions"), { class: "quiet" }, actions.back);
  const decline = button(say("DeclineButton"), { class: "quiet danger" }, actions.decline);
  view.append(unseen, h("p", { class: "actions" }, send, back, decline));
  return view;
}
