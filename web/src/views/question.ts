// One question: its words, its control, what is wrong with its answer, and a note to the agent.
import type { Reply } from "../../../schemas/sayso/outcome.ts";
import type { Answer, Rules } from "../../../schemas/sayso/request.ts";
import { button, h, set, write } from "../dom.ts";
import type { Form, FormQuestion } from "../form.ts";
import type { Message, Say } from "../i18n.ts";
import { limitsOf } from "../rules/judge.ts";
import { KINDS } from "../kinds/all.ts";
import type { Control } from "../kinds/control.ts";
import { inlineMarkdown, isLong, markdown } from "../text/markdown.ts";
import { afterPress } from "../press.ts";
import { localizeText } from "../text/stored_text.ts";
import { createNote, type NoteBox } from "./note.ts";
import * as messages from "../messages.ts";

/** What a question shows. */
export interface QuestionView {
  reply: Reply;
  locked: boolean;
  required: boolean;
  problem: string | undefined;
  /** The reply is the asker's, and no person has changed it. */
  prefilled: boolean;
}

/** What a question reports. */
export interface QuestionEvents {
  reply(reply: Reply, unreadable: boolean): void;
  leave(): void;
}

/** A question on the screen. */
export interface QuestionFrame {
  root: HTMLElement;
  show(view: QuestionView): void;
  focus(): void;
}

/** Makes a question. */
export function createQuestion(question: FormQuestion, { rules, isPermission }: Form, say: Say, events: QuestionEvents): QuestionFrame {
  return new Frame(question, rules, isPermission, say, events);
}

class Frame implements QuestionFrame {
  root: HTMLElement;
  #say: Say;
  #events: QuestionEvents;
  #control: Control;
  #reply: Reply = { state: "unanswered" };
  #optional: HTMLElement;
  #error: HTMLElement;
  #refusal: HTMLElement;
  #clear: HTMLButtonElement;
  #note: NoteBox;

  constructor(question: FormQuestion, rules: Rules, isPermission: boolean, say: Say, events: QuestionEvents) {
    const id = `q${question.at}`;
    this.#say = say;
    this.#events = events;
    this.#optional = h("span", { class: "badge" });
    this.#error = h("p", { class: "error", part: "error", id: `${id}-error` });
    this.#refusal = h("p", { class: "error", role: "alert" });
    const [prompt, details] = splitPrompt(question, say);
    const labelledBy = `${id}-prompt`;
    const describedBy = `${id}-detail ${id}-error`;
    this.#control = KINDS[question.kind](question, {
      say, rules, isPermission, id, labelledBy, describedBy,
      change: (answer, more = {}) => this.#change(answer, more.aside, more.unreadable === true),
      refuse: (message) => this.#refuse(message),
    });
    this.#clear = button(say(messages.ClearAnswer), { class: "small", "aria-describedby": labelledBy, hidden: true }, () => this.#change(undefined, this.#reply.aside, false));
    this.#note = createNote({
      id: `${id}-note`, add: say(messages.AddNote), label: say(messages.NoteLabel), labelledBy,
      change: (note) => {
        const { note: _, ...reply } = this.#reply;
        events.reply(note === "" ? reply : { ...reply, note }, false);
      },
    });
    const title = h("div", { class: "prompt", part: "prompt", dir: "auto" },
      ...(question.depth > 0 ? [h("span", { class: "follows", "aria-hidden": "true" }, "↳ ")] : []),
      h("span", { id: labelledBy }, ...inlineMarkdown(prompt, say)), " ", this.#optional);
    const limits = limitsOf(question, rules).map((limit) => say(limit)).join(" ");
    const detail = h("div", { class: details.some(isLong) ? "detail lazy" : "detail", id: `${id}-detail` }, ...details.flatMap((text) => markdown(text, say)), ...(limits === "" ? [] : [h("p", { part: "limits" }, limits)]));
    const tools = h("div", { class: "tools" }, this.#clear, this.#note.opener);
    const { group } = this.#control;
    this.root = h("div", {
      class: `question depth${Math.min(question.depth, 2)}`, part: "question", "data-id": question.id,
      ...(group === undefined ? {} : { role: group, "aria-labelledby": labelledBy, "aria-describedby": describedBy }),
    }, title, detail, h("slot", { name: `question-${question.id}` }), this.#error, this.#control.root, this.#refusal, this.#note.root, tools);
    this.root.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && this.root.contains(relatedTarget)) return;
      // Lines that go while a button is pressed would move the button away.
      afterPress(() => {
        if (this.root.matches(":focus-within")) return;
        write(this.#refusal, "");
        events.leave();
      });
    });
  }

  show({ reply, locked, required, problem, prefilled }: QuestionView): void {
    this.#reply = reply;
    const invalid = problem !== undefined;
    this.#control.show({ reply, locked, invalid, required });
    const { group } = this.#control;
    if (group === "radiogroup") set(this.root, { "aria-required": required && "true", "aria-invalid": invalid && "true" });
    this.root.classList.toggle("invalid", invalid);
    write(this.#error, problem ?? "");
    const badge = prefilled ? messages.MarkFilledIn : required ? undefined : messages.OptionalTag;
    write(this.#optional, badge === undefined ? "" : this.#say([badge]));
    this.#clear.hidden = locked || group !== "radiogroup" || reply.answer === undefined;
    this.#note.show(reply.note ?? "", locked);
  }

  focus(): void {
    const find = (selector: string) => this.root.querySelector<HTMLElement>(selector);
    (find(":checked") ?? find("input, select, textarea"))?.focus();
  }

  #change(answer: Answer | undefined, aside: string | undefined, unreadable: boolean): void {
    const { note } = this.#reply;
    write(this.#refusal, "");
    const rest = { ...(note === undefined ? {} : { note }), ...(aside === undefined || aside === "" ? {} : { aside }) };
    this.#events.reply(answer === undefined ? { state: "unanswered", ...rest } : { state: "answered", answer, ...rest }, unreadable);
  }

  #refuse(message: Message): void {
    write(this.#refusal, this.#say(message));
  }

}

/** Letters of a prompt that are its heading. */
const MOST_HEADING = 1_000;

/** Returns the first line of a prompt, and what follows. */
function splitPrompt(question: FormQuestion, say: Say): [string, string[]] {
  // An act that is asked about without words of its asker has ours.
  const text = (localizeText(question.prompt, say) || say(messages.AllowAction)).trimStart().replace(/^#{1,6} /, "");
  const line = text.indexOf("\n");
  // What is too long for a heading goes on below it.
  const end = Math.min(line < 0 ? text.length : line, MOST_HEADING);
  const blank = end === MOST_HEADING ? text.lastIndexOf(" ", end) : end;
  const first = text.slice(0, blank > 0 ? blank : end).trimEnd();
  const rest = text.slice(blank > 0 ? blank : end).replace(/^ *\n/, "");
  return [first, [rest, question.detail ?? ""].filter((text) => text.trim() !== "")];
}
