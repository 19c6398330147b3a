// The whole element on the screen, for one request in one language.
import { button, fill, h, set, write } from "./dom.ts";
import type { Completion, Replies, SeenLines } from "./api.ts";
import { FORM, type Form, type FormQuestion } from "./form.ts";
import type { Message, Say } from "./i18n.ts";
import { KINDS } from "./kinds/all.ts";
import { inlineMarkdown, isLong, markdown, plainText } from "./text/markdown.ts";
import type { State } from "./reducer.ts";
import { formNote, replyAt, type Sheet } from "./rules/sheet.ts";
import { questionsOf, stepsOf, type Steps } from "./steps.ts";
import { createAction } from "./views/action.ts";
import { createAnswerList, questionName } from "./views/answers.ts";
import { ButtonRow } from "./views/buttons.ts";
import { createCompleted } from "./views/completed.ts";
import { createDecline } from "./views/decline.ts";
import { createNote, type NoteBox } from "./views/note.ts";
import { createQuestion, type QuestionFrame, type QuestionView } from "./views/question.ts";
import { showSteps } from "./views/steps.ts";
import { LineCounter } from "./views/line_counter.ts";
import { createSummary, type SummaryEntry } from "./views/summary.ts";
import { localizeText } from "./text/stored_text.ts";
import * as messages from "./messages.ts";

/** How the page wants the element. */
export interface ViewOptions {
  disabled: boolean;
  busy: boolean;
  review: boolean;
  overview: boolean;
  /** The page shows the answers once more before it sends them. */
  isReviewed: boolean;
  deskLink: string | undefined;
  /** Nothing is sent and no consent is given here; what else is answered is a draft. */
  draftOnly: boolean;
  /** A note on the whole form can be added. */
  formNote: boolean;
  completion: Completion | null;
}

/** What a person does. */
export interface ViewEvents {
  reply(question: FormQuestion, reply: QuestionView["reply"], unreadable: boolean): void;
  leave(question: FormQuestion): void;
  note(note: string): void;
  go(step: number): void;
  next(): void;
  skip(): void;
  submit(isConfirmed: boolean): void;
  approve(): void;
  decline(reason: string): void;
}

/** A question on the screen, and what it shows. */
interface ShownQuestion {
  frame: QuestionFrame;
  view: QuestionView | undefined;
}

/** The view of one request. */
export class FormView {
  root: HTMLElement;
  #form: Form;
  #say: Say;
  #events: ViewEvents;
  #frames = new Map<FormQuestion, ShownQuestion>();
  #containers: HTMLElement[];
  #nav: HTMLElement;
  #hint: HTMLElement;
  #summary = h("div");
  #body = h("div", { class: "body" });
  #review = h("section", { class: "review", part: "review", "aria-labelledby": "review" });
  /** The note on the whole form. */
  #note: NoteBox;
  #noteFrame: HTMLElement;
  #completed = h("div");
  #decline: ReturnType<typeof createDecline>;
  #buttons: ButtonRow;
  #action: HTMLElement | undefined;
  /** Asks once more before a yes to lines that were not drawn. */
  #unseen = h("section", { class: "decline", part: "unseen", hidden: true });
  /** What is to be confirmed. */
  #confirmed: State | undefined;
  #lines = new LineCounter(() => this.#showUnseenCount());
  #status = h("p", { class: "hidden", role: "status" });
  #announcing: ReturnType<typeof setTimeout> | undefined;
  #asked = new Set<FormQuestion>();

  constructor(form: Form, say: Say, events: ViewEvents) {
    const unknown = form.questions.find(({ kind }) => !Object.hasOwn(KINDS, kind));
    if (unknown !== undefined) throw new TypeError(`There is no kind "${unknown.kind}".`);
    this.#form = form;
    this.#say = say;
    this.#events = events;
    this.#nav = h("nav", { class: "steps", part: "steps", "aria-label": say(messages.StepsLabel) });
    this.#hint = h("p", { class: "hint" }, h("slot", { name: "hint" }, say(messages.InteractionOff)));
    this.#decline = createDecline(say, (reason) => events.decline(reason));
    this.#buttons = new ButtonRow(form, say, events, (opener) => this.#decline.open(opener));
    this.#containers = this.#createSections();
    this.#note = createNote({ id: "form-note", add: say(messages.AddFormNote), label: say(messages.FormNoteLabel), change: (note) => events.note(note) });
    this.#noteFrame = h("div", { class: "whole-note", "data-id": FORM }, h("slot", { name: `question-${FORM}` }), this.#note.root, h("div", { class: "tools" }, this.#note.opener));
    const { title, context, action } = form.request;
    this.root = h("div", { class: "form", part: "form" }, h("slot", { name: "header" }));
    if (title !== undefined && title.trim() !== "") this.root.append(h("h2", { part: "title", dir: "auto" }, ...inlineMarkdown(localizeText(title, say), say)));
    const background = context === undefined ? [] : [h("div", { class: isLong(context) && !form.asksConsent ? "context lazy" : "context", part: "context" }, ...markdown(localizeText(context, say), say))];
    this.#action = action === undefined ? undefined : createAction(action, say);
    this.root.append(...background, this.#hint, this.#nav, this.#summary, this.#body, this.#review, this.#noteFrame, this.#completed, this.#decline.root, this.#unseen, this.#buttons.root, this.#status);
    if (form.asksConsent) for (const block of [...background, ...this.#action?.querySelectorAll("pre") ?? []]) this.#lines.watch(block);
    this.root.addEventListener("keydown", (event) => this.#keydown(event));
  }

  show(state: State, sheet: Sheet, options: ViewOptions, typed: Replies): void {
    const steps = stepsOf(state, sheet, options.review && !options.disabled && !options.draftOnly);
    const { completion } = options;
    const { overview } = options;
    const isOver = completion !== null;
    const isReview = steps.current === steps.review;
    const locked = options.disabled || options.deskLink !== undefined;
    set(this.#hint, { hidden: isOver || overview || !(options.disabled || options.draftOnly) });
    set(this.#body, { hidden: isOver || overview || isReview });
    set(this.#review, { hidden: isOver || overview || !isReview });
    set(this.#nav, { hidden: isOver || overview || steps.all.length < 2 });
    if (isOver || overview || this.#confirmed?.replies !== state.replies || this.#confirmed.step !== state.step) this.#unseen.hidden = true;
    const note = formNote(state);
    const hasNote = note !== "" || options.formNote && this.#form.questions.length > 1;
    this.#noteFrame.hidden = isOver || overview || !hasNote || steps.place < steps.all.length - 1;
    this.#note.show(note, locked);
    set(this.#completed, { hidden: !isOver });
    if (isOver || overview || locked) this.#decline.root.hidden = true;
    if (isOver) {
      fill(this.#completed, createCompleted(this.#form, completion, typed, this.#say));
    } else {
      this.#showQuestions(state, sheet, steps, (question) => locked || (options.draftOnly && question.consent));
      if (isReview) this.#showReview(state, sheet, steps, typed);
      this.#showSteps(state, sheet, steps);
    }
    this.#placeAction(steps, isOver || overview || isReview);
    this.#showSummary(state, sheet, isOver || overview);
    this.#buttons.show(steps, options, !isOver && !overview && !locked && !options.draftOnly);
  }

  get seen(): SeenLines | null {
    return this.#form.asksConsent ? this.#lines.seen : null;
  }

  showUnseen(): void {
    this.#lines.showFirst();
  }

  /** Asks if lines that were not drawn are agreed to, until something else is shown. */
  confirmUnseen(state: State): void {
    const say = this.#say;
    this.#confirmed = state;
    const show = button(say([messages.ShowUnseen]), {}, () => this.showUnseen());
    fill(this.#unseen, h("p", { role: "alert" }), h("div", { class: "buttons" }, show, button("", { part: "agree" }, () => this.#events.submit(true))));
    this.#unseen.hidden = false;
    this.#showUnseenCount();
    show.focus();
  }

  #showUnseenCount(): void {
    const { seen } = this;
    const [words, , agree] = [...this.#unseen.querySelectorAll("p, button")];
    if (words === undefined || agree === undefined) return;
    if (seen === null) {
      this.#unseen.hidden = true;
      return;
    }
    const counts = [seen.total - seen.shown, seen.total];
    const isChoice = !this.#form.questions.some(({ consent, kind }) => consent && kind === "confirm");
    write(words, this.#say([messages.LinesNotShown, ...counts]));
    write(agree, this.#say([isChoice ? messages.SendUnseen : messages.YesUnread, ...counts]));
  }

  /** Places the action above its yes, and above the button that sends: what would run is never out of its page. */
  #placeAction(steps: Steps, isAlone: boolean): void {
    const asked = this.#form.questions.find(({ consent }) => consent);
    const isLast = steps.place === steps.all.length - 1;
    const isHere = asked !== undefined && asked.stepAt === steps.current;
    const frame = asked === undefined || isAlone || (isLast && !isHere) ? undefined : this.#frames.get(asked)?.frame.root;
    const next = frame ?? this.#body;
    if (this.#action !== undefined && this.#action.nextElementSibling !== next) next.before(this.#action);
  }

  /** Moves the focus to what is wrong. */
  focusSummary(): void {
    this.#summary.querySelector<HTMLElement>("h2")?.focus();
  }

  /** Moves the focus to a question, or to the first. */
  focusQuestion(question: FormQuestion | undefined): void {
    const first = question ?? this.#form.questions.find((one) => this.#asked.has(one));
    if (first !== undefined) this.#frames.get(first)?.frame.focus();
  }

  /** Shows the note on the whole form, and moves the focus to it. */
  openNote(step: number): void {
    this.#events.go(step);
    this.#note.open();
  }

  /** Moves the focus to the button that sends, or to the one that declines. */
  focusButton(sends: boolean): void {
    (sends ? this.#buttons.primary : this.#buttons.decline).focus();
  }

  /** Moves the focus to the head of a step. */
  focusStep(): void {
    const heads = [...this.root.querySelectorAll<HTMLElement>("h2[tabindex]:not(#summary)")];
    heads.find((head) => head.checkVisibility())?.focus();
  }

  #createSections(): HTMLElement[] {
    const { steps } = this.#form;
    if (steps.length === 0) return [this.#body];
    return steps.map(({ title, detail, optional }, index) => {
      const root = h("section", { class: "section", part: "section", hidden: true });
      const words = plainText(title ?? "") || this.#say([messages.StepOf, index + 1, steps.length]);
      root.append(h("h2", { tabindex: -1, dir: "auto", class: title === undefined && "hidden" }, words, ...(optional === true ? [" ", h("span", { class: "badge" }, this.#say(messages.OptionalTag))] : [])));
      if (detail !== undefined) root.append(h("div", { class: "detail" }, ...markdown(detail, this.#say)));
      this.#body.append(root);
      return root;
    });
  }

  #showQuestions(state: State, sheet: Sheet, steps: Steps, isLocked: (question: FormQuestion) => boolean): void {
    const wasShown = this.#asked.size > 0;
    const appeared: FormQuestion[] = [];
    const last = new Map<HTMLElement, Element | null>();
    this.#containers.forEach((container, index) => {
      if (container !== this.#body) container.hidden = index !== steps.current;
    });
    for (const question of this.#form.questions) {
      const isAsked = sheet.isAsked(question);
      const container = this.#containers[question.stepAt];
      let shown = this.#frames.get(question);
      if (container === undefined || (shown === undefined && !isAsked)) continue;
      if (shown === undefined) {
        shown = this.#createFrame(question, container, last.get(container) ?? lastHead(container));
      }
      last.set(container, shown.frame.root);
      if (isAsked !== this.#asked.has(question)) {
        shown.frame.root.hidden = !isAsked;
        if (isAsked) appeared.push(question);
        if (!this.#asked.delete(question)) this.#asked.add(question);
      }
      this.#showQuestion(question, shown, state, sheet, isLocked(question));
    }
    if (wasShown && appeared.length > 0) this.#announce([messages.FollowUpsAdded, appeared.length]);
  }

  #createFrame(question: FormQuestion, container: HTMLElement, after: Element | null): ShownQuestion {
    const frame = createQuestion(question, this.#form, this.#say, {
      reply: (reply, unreadable) => this.#events.reply(question, reply, unreadable),
      leave: () => this.#events.leave(question),
    });
    if (after === null) container.prepend(frame.root);
    else after.after(frame.root);
    const shown = { frame, view: undefined };
    this.#frames.set(question, shown);
    return shown;
  }

  #showQuestion(question: FormQuestion, shown: ShownQuestion, state: State, sheet: Sheet, locked: boolean): void {
    const reply = replyAt(state, question);
    const view: QuestionView = {
      reply,
      locked,
      required: sheet.isRequired(question),
      problem: problemOf(state, sheet, question, this.#say),
      prefilled: reply.answer !== undefined && !state.replies.has(question.id),
    };
    const before = shown.view;
    const isSame = before !== undefined && (Object.keys(view) as (keyof QuestionView)[]).every((name) => before[name] === view[name]);
    shown.view = view;
    if (!isSame) shown.frame.show(view);
  }

  #showReview(state: State, sheet: Sheet, steps: Steps, typed: Replies): void {
    const rows = questionsOf(state, sheet, steps, steps.current)
      .map((question) => ({ question, problem: problemOf(state, sheet, question, this.#say) }));
    const open = (question: FormQuestion) => this.open(question);
    const parts: Node[] = [h("h2", { id: "review", tabindex: -1 }, this.#say(messages.CheckHead)), createAnswerList(rows, typed, this.#say, { change: open })];
    const hidden = this.#form.questions.filter((question) => !sheet.isAsked(question) && state.replies.get(question.id)?.answer !== undefined);
    if (hidden.length > 0) {
      const list = createAnswerList(hidden.map((question) => ({ question, problem: undefined })), typed, this.#say);
      parts.push(h("details", {}, h("summary", {}, this.#say([messages.HiddenNotSent, hidden.length])), list));
    }
    fill(this.#review, ...parts);
  }

  #showSteps(state: State, sheet: Sheet, steps: Steps): void {
    if (steps.all.length < 2) return;
    const name = (step: number, place: number) => step === steps.review ? this.#say(messages.TabReview)
      : plainText(this.#form.steps[step]?.title ?? "") || this.#say([messages.StepOf, place + 1, steps.all.length]);
    const mark = (step: number) => {
      const questions = step === steps.review ? [] : questionsOf(state, sheet, steps, step);
      if (questions.some((question) => problemOf(state, sheet, question, this.#say) !== undefined)) return "!";
      if (questions.some(({ section }) => section !== undefined && state.skipped.has(section))) return "–";
      const isDone = questions.some((question) => sheet.value(question) !== undefined)
        && questions.every((question) => sheet.problem(question) === undefined);
      return isDone ? "✓" : "";
    };
    const entries = steps.all.map((step, place) => ({ name: name(step, place), mark: mark(step) } as const));
    const head = this.#containers[steps.current]?.querySelector("h2.hidden");
    if (head) write(head, name(steps.current, steps.place));
    showSteps(this.#nav, entries, steps.place, this.#say, (place) => this.#events.go(steps.all[place] ?? 0));
  }

  #showSummary(state: State, sheet: Sheet, isOver: boolean): void {
    const entries: SummaryEntry[] = isOver ? [] : state.notices.map((notice) => ({ words: this.#say(notice), open: undefined }));
    if (!isOver && (state.refused || state.told.size > 0)) {
      for (const question of this.#form.questions) {
        const problem = sheet.isAsked(question) ? problemOf(state, sheet, question, this.#say) : undefined;
        const name = questionName(question, this.#say);
        // A name may end with a sign of its own.
        if (problem !== undefined) entries.push({ words: name + (/[.?!:。？！：]$/.test(name) ? " " : ": ") + problem, open: () => this.open(question) });
      }
      const whole = state.refused ? sheet.wholeProblem() : undefined;
      if (whole !== undefined) entries.push({ words: this.#say(whole), open: () => this.focusQuestion(undefined) });
    }
    const words = entries.map((entry) => entry.words).join("\n");
    if (this.#summary.dataset["words"] === words) return;
    this.#summary.dataset["words"] = words;
    fill(this.#summary, ...(entries.length === 0 ? [] : [createSummary(entries, this.#say)]));
  }

  /** Shows the step of a question, and moves the focus to it. */
  open(question: FormQuestion): void {
    this.#events.go(question.stepAt);
    this.focusQuestion(question);
  }

  /** Says something politely, once the person pauses. */
  #announce(message: Message): void {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(() => {
      write(this.#status, this.#say(message));
    }, 500);
  }

  /** Enter goes on to the next question and never sends; with Ctrl or ⌘ it presses the button that leads on. */
  #keydown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.isComposing) return;
    const { target } = event;
    if (event.repeat && !(target instanceof HTMLTextAreaElement)) {
      event.preventDefault();
    } else if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      if (!this.#buttons.isHidden) this.#buttons.primary.click();
    } else if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      event.preventDefault();
      const shown = [...this.#body.querySelectorAll(".question")].filter((question) => question.checkVisibility());
      const next = shown[shown.findIndex((question) => question.contains(target)) + 1];
      // In the search of a list, Enter goes to what it found.
      const found = target.matches(".search") ? [...target.parentElement?.querySelectorAll<HTMLElement>("input:not(.search)") ?? []].find((input) => input.checkVisibility()) : undefined;
      (found ?? next?.querySelector<HTMLElement>("input, select, textarea"))?.focus();
    }
  }
}

function lastHead(container: HTMLElement): Element | null {
  const heads = [...container.children].filter((child) => !child.matches(".question, .action"));
  return heads.at(-1) ?? null;
}

/** Returns what shows at a question: what the desk or the asker found, or what the person has been told by a rule. */
function problemOf(state: State, sheet: Sheet, question: FormQuestion, say: Say): string | undefined {
  const told = state.told.get(question.id);
  if (told !== undefined) return say(told);
  const problem = state.judged.has(question.id) ? sheet.problem(question) : undefined;
  return problem === undefined ? undefined : say(problem);
}
