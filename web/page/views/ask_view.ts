import type { SaysoQuestionnaireElement, SeenLines } from "../../src/api.ts";
import { askerInSentence, askerName, folderName } from "./asker.ts";
import { askToDecline } from "./decline_dialog.ts";
import { type Ask, type DeskProblem, Refusal, type Replies, type Review, type Row, askPath, call } from "../desk/requests.ts";
import type { DeskEvent } from "../desk/event_stream.ts";
import { button, h } from "../../src/dom.ts";
import { questionsOf } from "../../src/form.ts";
import { afterPress } from "../../src/press.ts";
import { visible } from "../dom.ts";
import { type Conflict, DraftSync, type SaveState } from "../desk/draft_sync.ts";
import { dropEdits } from "../desk/kept_edits.ts";
import { Conflicts } from "./conflicts.ts";
import { createQuestionnaire, isBare, loadElement, showProblems } from "../element.ts";
import { titleOf } from "./inbox_view.ts";
import { Notices } from "./notices.ts";
import { Outline } from "./outline.ts";
import { receiptView } from "./receipt_view.ts";
import { reviewView } from "./review_view.ts";
import { describeSave } from "./save_line.ts";
import { SOON_MS, moment, timeElement } from "../times.ts";
import { say } from "../words.ts";
import { isLost, isSame, lostWords, typedWords } from "../desk/lost_words.ts";

/** Calls of an ask's page to the whole page. */
export interface AskViewListener {
  /** The ask was answered, declined or opened, so the inbox differs. */
  onChanged(): void;
  /** The asker wants changes: the next round of the ask begins. */
  onReopened(): void;
  /** Edits are kept in this browser, or no longer. */
  onKept(): void;
  /** Returns the next ask that waits, and how many do. */
  next(): { row: Row; count: number } | undefined;
  /** Moves to the next step of the ask and back: the browser's own Back leaves the review, and each step of the form. */
  onStep(step: "questions" | "review"): void;
}

/** Replies that are shown, with the revision of the draft that has them. */
interface ShownReplies {
  replies: Replies;
  rev: number;
}

/** One ask: its questions, the review, and the receipt. */
export class AskView {
  readonly root = h("article", { class: "ask" });
  readonly id: string;
  readonly #listener: AskViewListener;
  readonly #notices = new Notices();
  readonly #stage = h("div", { class: "stage" });
  readonly #conflicts = new Conflicts({
    showQuestions: () => this.#backToQuestions(),
    take: (question, reply) => {
      this.#drafts.edit(question, reply);
      this.#showReplies(this.#drafts.replies);
    },
    settle: (question) => this.#drafts.settle(question),
  });
  readonly #outline = new Outline(() => this.#showAgain());
  readonly #saveLine = h("p", { class: "save-line", role: "status" });
  readonly #drafts: DraftSync;
  #ask: Ask | undefined;
  #element: SaysoQuestionnaireElement | undefined;
  /** What was typed here when the ask ended elsewhere. */
  #kept: HTMLElement | undefined;
  /** The way to the next ask, below the receipt's head. */
  #next: HTMLElement | undefined;
  #step: "questions" | "review" | "receipt" = "questions";
  /** Place of the step of the form that is shown. */
  #place = 0;
  /** The browser's history leads to a step, which is none of its own then. */
  #isHistory = false;
  #closed = false;
  #isConnected = true;
  /** The last step of the person had no reply. */
  #isBroken = false;
  /** What the desk found in the draft. */
  #problems: DeskProblem[] = [];
  #saveState: SaveState = { kind: "idle" };
  #sending = false;
  /** The person presses; the browser's own Forward sends nothing. */
  #isPress = true;
  /** A reply was lost, so that an end may be this person's own. */
  #isUnsure = false;
  /** Key of a submission: repeated after a lost reply, it has one effect. */
  #submitKey = crypto.randomUUID();

  constructor(id: string, listener: AskViewListener) {
    this.id = id;
    this.#listener = listener;
    this.#drafts = new DraftSync(id, {
      onReplies: (replies) => this.#showReplies(replies),
      onProblems: (problems) => this.#showProblems(problems),
      onState: (state) => this.#showState(state),
      onConflict: (conflict) => this.#showConflict(conflict),
      onKept: () => listener.onKept(),
      onEnded: () => void this.#reload(),
    });
  }

  /** Reads the ask and its draft, and shows them. */
  async open(): Promise<void> {
    const [ask] = await Promise.all([call<Ask>("GET", askPath(this.id)), this.#drafts.load(), loadElement()]);
    if (this.#closed) return;
    this.#ask = ask;
    this.root.append(this.#header(ask), this.#notices.root, this.#outline.root, this.#stage, this.#conflicts.root, this.#saveLine);
    if (ask.state !== "open") {
      this.#drafts.reclaim();
      return this.hasUnsaved ? this.#endedElsewhere(ask) : this.#showReceipt(ask);
    }
    this.#showFeedback(ask);
    this.#showQuestions();
    this.#drafts.merge();
    this.#showState({ kind: "idle" });
    if (this.#drafts.unsaved > 0) void this.#drafts.flush();
    // What is shown stays, also if the desk does not hear of it.
    void call("POST", askPath(this.id, "/see"), {}).catch(() => undefined);
  }

  /** Returns whether edits wait to be saved. */
  get hasUnsaved(): boolean {
    return this.#drafts.unsaved > 0 && this.#step !== "receipt";
  }

  /** Returns whether the ask could be read. */
  get isShown(): boolean {
    return this.#ask !== undefined;
  }

  /** Returns whether an edit would be lost with this tab. */
  get isAtRisk(): boolean {
    return this.#drafts.isAtRisk && this.#step !== "receipt";
  }

  /** Ends the view; edits are saved first. */
  close(): void {
    this.#closed = true;
    this.#drafts.leave();
    this.#drafts.close();
  }

  /** Saves what is not saved, because the page goes away. */
  leave(): void {
    this.#drafts.leave();
  }

  /** Takes a change of this ask, from anywhere. */
  take(events: NonNullable<DeskEvent["data"]["events"]>): void {
    const isKnown = this.#sending || this.#ask?.phase.settled !== undefined;
    for (const { event, rev } of events) {
      if (event === "drafted") void this.#drafts.refresh(rev).catch(() => undefined);
      // The reply to what is sent from here has the end, too.
      else if (event !== "seen" && !(isKnown && (event === "settled" || event === "presence"))) void this.#reload();
    }
  }

  /** Shows that the deadline is near, once it is. */
  renew(): void {
    const line = this.root.querySelector(".deadline");
    if (this.#ask) line?.classList.toggle("soon", isSoon(this.#ask));
  }

  /** Reads everything again: the connection had gone, and changes may have been missed. */
  async resume(): Promise<void> {
    if (!this.#ask || this.#closed) return;
    await this.#reload();
    if (this.#ask.state === "open") {
      await this.#drafts.refresh();
      this.#mend();
      this.#showState(this.#saveState);
      await this.#drafts.flush();
    }
  }

  /** Returns the place of the step of the form that is shown. */
  get place(): number {
    return this.#place;
  }

  /** Shows the step that the browser's history names: one of the form by its place, or the review. */
  goTo(step: number | "review"): void {
    if (this.#step === "receipt" || this.#step === step) return;
    if (step !== "review") {
      if (this.#step === "review") this.#showQuestions();
      this.#isHistory = true;
      this.#element?.showStep(step);
      this.#isHistory = false;
      return;
    }
    this.#isPress = false;
    this.#element?.requestSubmit();
    this.#isPress = true;
  }

  get #agent(): string {
    if (!this.#ask) return "";
    const { asker, program } = this.#ask;
    return askerInSentence({ ...asker, program });
  }

  #header(ask: Ask): HTMLElement {
    const line = h("p", { class: "from" }, h("strong", {}, askerName({ ...ask.asker, program: ask.program })));
    if (ask.asker.folder) line.append(" · ", h("span", { title: visible(ask.asker.folder) }, folderName(ask.asker.folder)));
    line.append(" · ", timeElement(ask.created_at));
    if (ask.state === "open" && "attached" in ask.presence) line.append(h("span", { class: "blocks" }, ` · ${say("RowBlocks")}`));
    const header = h("header", { class: "ask-head" }, line);
    if (ask.state === "open" && ask.deadline) {
      header.append(h("p", { class: isSoon(ask) ? "deadline soon" : "deadline" }, say("PageEndsAt", moment(ask.deadline))));
    }
    return header;
  }

  #showQuestions(): void {
    if (!this.#ask) return;
    this.#step = "questions";
    const element = (this.#element ??= this.#createElement(this.#ask));
    element.overview = element.hidden = false;
    // An element that stays where it is keeps its focus.
    for (const other of [...this.#stage.children]) if (other !== element) other.remove();
    if (!element.isConnected) this.#stage.append(element);
    this.#outline.show(element);
  }

  /** Makes the form anew, for another way to show it. */
  #showAgain(): void {
    if (this.#step !== "questions") return;
    this.#element?.remove();
    this.#element = undefined;
    this.#showQuestions();
  }

  #createElement(ask: Ask): SaysoQuestionnaireElement {
    const element = createQuestionnaire(ask, this.#drafts.replies, {
      onChange: (changes) => {
        this.#edit(changes);
        this.#outline.renew();
      },
      onSubmit: (replies, seen) => void this.#submit(replies, seen),
      onDecline: (reason) => void this.#decline(reason ?? ""),
    });
    this.#place = 0;
    element.addEventListener("sayso-step", ({ detail }) => {
      this.#place = detail.step;
      if (!this.#isHistory) this.#listener.onStep("questions");
    });
    // By the time of the next task the focus is where it goes.
    element.shadowRoot?.addEventListener("focusout", () => setTimeout(() => this.#showProblems(this.#problems)));
    return element;
  }

  #edit(changes: Replies): void {
    // What the desk found in an answer is not true of the next one.
    this.#problems = this.#problems.filter(({ path }) => !(String(path?.[1]) in changes));
    for (const [question, reply] of Object.entries(changes)) this.#drafts.edit(question, reply);
  }

  async #submit(replies: Replies, seen: SeenLines | undefined): Promise<void> {
    const isPress = this.#isPress;
    this.#edit(replies);
    this.#notices.hide("changed");
    await this.#guarded(async () => {
      const review = await this.#readReview();
      // Someone else's change is on the page since the press: what was pressed is not what it shows now.
      if (!this.#shows(replies)) return this.#showChange();
      if (review.rows.length > 1 || review.note !== undefined) {
        this.#listener.onStep("review");
        this.#showReview(review, { replies, rev: review.rev });
      } else if (isPress && review.ready) await this.#send({ replies, rev: review.rev }, seen);
      else if (isPress) this.#showProblems(review.problems, true);
    });
  }

  /** Reads the review of the draft that this page has. */
  async #readReview(): Promise<Review> {
    for (;;) {
      await this.#drafts.flush();
      const review = await this.#fetchReview();
      if (review.rev <= this.#drafts.rev) return review;
      await this.#drafts.refresh(review.rev);
    }
  }

  /** Returns whether the draft still has these replies. */
  #shows(replies: Replies): boolean {
    const now = this.#drafts.replies;
    return Object.entries(replies).every(([question, reply]) => isSame(reply, now[question] ?? { state: "unanswered" }));
  }

  /** Goes back to the questions, which show what someone else changed. */
  #showChange(): void {
    this.#backToQuestions();
    this.#notices.show({ key: "changed", tone: "warning", words: `${say("AnswersChanged")} ${say("AnswersChangedHint")}` });
  }

  #backToQuestions(): void {
    if (this.#step === "review") this.#listener.onStep("questions");
    this.#showQuestions();
  }

  #showReview(review: Review, shown: ShownReplies): void {
    this.#step = "review";
    const element = this.#element;
    if (element === undefined) return;
    this.#outline.show(undefined);
    // Title, context and action stay above the button that sends.
    element.overview = true;
    const questionnaire = this.#ask?.questionnaire ?? {};
    element.hidden = isBare(questionnaire) && questionnaire.action === undefined;
    const seen = () => (element.agrees(shown.replies) ? element.seen ?? undefined : undefined);
    const view = reviewView(review, this.#agent, {
      change: (question) => {
        this.#backToQuestions();
        this.#element?.focusQuestion(question);
      },
      back: () => this.#backToQuestions(),
      seen,
      showUnseen: () => element.showUnseen(),
      send: () => void this.#guarded(() => this.#send(shown, seen())),
      decline: () => void this.#askToDecline(),
    });
    this.#stage.append(view);
    this.#turnTo(view.querySelector<HTMLElement>(".summary") ?? view);
  }

  /** Moves the focus to what has just appeared, and shows it from its top: the top bar would hide that. */
  #turnTo(part: HTMLElement | null): void {
    part?.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "start" });
  }

  #fetchReview(): Promise<Review> {
    return call<Review>("GET", askPath(this.id, "/review"));
  }

  async #send({ replies, rev }: ShownReplies, seen: SeenLines | undefined): Promise<void> {
    if (!this.#ask) return;
    const body = { shown: this.#ask.digest, replies, draft_rev: rev, ...(seen ? { seen } : {}) };
    await this.#end("/answer", body, this.#submitKey);
  }

  /** Sends what ends the ask, once for a key. */
  async #end(path: string, body: unknown, key: string): Promise<void> {
    this.#sending = true;
    try {
      this.#ask = await call<Ask>("POST", askPath(this.id, path), body, { headers: { "idempotency-key": key } });
    } catch (error) {
      this.#isUnsure ||= !(error instanceof Refusal);
      throw error;
    } finally {
      this.#sending = false;
    }
    this.#finish(this.#ask);
  }

  async #askToDecline(): Promise<void> {
    const wish = await askToDecline(this.#agent);
    if (wish) await this.#decline(wish.reason);
  }

  async #decline(reason: string): Promise<void> {
    const ask = this.#ask;
    if (!ask) return;
    await this.#guarded(async () => {
      const body = { shown: ask.digest, ...(reason ? { reason } : {}) };
      await this.#end("/decline", body, `${this.#submitKey}-no`);
    });
  }

  #finish(ask: Ask): void {
    this.#listener.onChanged();
    void this.#forget();
    this.#showReceipt(ask);
    this.#turnTo(this.#stage.querySelector<HTMLElement>(".receipt"));
    this.#offerNext();
  }

  /** After sending, the next ask is one press away. */
  #offerNext(): void {
    const next = this.#listener.next();
    const head = this.#stage.querySelector(".stamp");
    if (!next || !head) return;
    const title = titleOf(next.row);
    const link = h("a", { class: "button primary", href: `/a/${next.row.id}`, title, "aria-describedby": "stamp" }, say("PageNext"), " ", h("bdi", {}, title));
    // The key that sent may still be down.
    link.addEventListener("keydown", (event) => {
      if (event.repeat) event.preventDefault();
    });
    this.#next = h("p", { class: "next" }, link, h("span", { class: "count" }, say("PageMoreWait", next.count)));
    head.after(this.#next);
    link.focus({ preventScroll: true });
  }

  /** Marks yes or no; nothing is sent. */
  mark(yes: boolean): void {
    if (this.#step === "questions") this.#element?.mark(yes);
  }

  #showReceipt(ask: Ask): void {
    this.#step = "receipt";
    this.#drafts.close();
    this.#saveLine.textContent = "";
    this.#saveLine.className = "save-line";
    this.root.querySelector(".deadline")?.remove();
    this.root.querySelector(".blocks")?.remove();
    this.#conflicts.clear();
    this.#outline.show(undefined);
    const focused = this.#next?.contains(document.activeElement) ? document.activeElement : null;
    this.#stage.replaceChildren(receiptView(ask, this.#agent), this.#kept ?? "");
    if (!this.#next) return;
    this.#stage.querySelector(".stamp")?.after(this.#next);
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }

  /** Reads the ask again after a change: it may have ended, or have come back with its asker's objections. */
  async #reload(): Promise<void> {
    const ask = await call<Ask>("GET", askPath(this.id)).catch(() => undefined);
    if (!ask || this.#closed) return;
    const before = this.#ask?.state;
    this.#ask = ask;
    if (ask.state === before) {
      if (this.#step === "receipt") this.#showReceipt(ask);
      else afterPress(() => this.root.querySelector(".ask-head")?.replaceWith(this.#header(ask)));
      return;
    }
    this.#listener.onChanged();
    if (ask.state === "open") return this.#listener.onReopened();
    if (this.#step !== "receipt") this.#endedElsewhere(ask);
    else this.#showReceipt(ask);
  }

  /** The ask ended while it was shown here. What was typed stays on the page, to be read and copied. */
  #endedElsewhere(ask: Ask): void {
    this.#drafts.reclaim();
    const settled = ask.phase.settled?.replies ?? ask.phase.submitted?.submission.replies ?? {};
    // What the receipt shows as sent is not said to be lost, whoever sent it.
    const isKept = Object.entries(this.#drafts.replies).some(([id, reply]) =>
      lostWords(reply, settled[id]).length > 0 || (this.#drafts.isUnsaved(id) && isLost(reply, settled[id])));
    this.#showReceipt(ask);
    const isSent = !isKept && Object.values(this.#drafts.replies).some((reply) => typedWords(reply).length > 0);
    const words = isKept ? say("PageEndedKept") : say("PageEndedNothing");
    if (!this.#isUnsure && !isSent) this.#notices.show({ key: "ended", tone: "warning", words });
    if (!isKept) {
      // The desk has all of it.
      if (this.#drafts.unsaved > 0) void this.#forget();
      return;
    }
    const element = this.#element ?? this.#createElement(ask);
    element.answers = this.#drafts.replies;
    element.disabled = true;
    element.overview = element.hidden = false;
    element.append(h("span", { slot: "hint" }, say("PageEndedHint")));
    this.#kept = h("details", { class: "kept", open: true }, h("summary", {}, say("PageYourText")), element);
    if (this.#drafts.unsaved > 0) this.#kept.append(this.#discardButton());
    this.#stage.append(this.#kept);
  }

  /** Words of an ask that has ended stay in this browser until the person needs them no more. */
  #discardButton(): HTMLElement {
    return h("p", { class: "actions" }, button(say("PageDiscard"), { class: "quiet" }, () => {
      this.#kept?.remove();
      this.#kept = undefined;
      this.#notices.hide("ended");
      void this.#forget();
    }));
  }

  /** Forgets what this browser keeps of the ask. */
  async #forget(): Promise<void> {
    this.#drafts.close();
    await this.#drafts.keeping;
    await dropEdits(this.id).catch(() => undefined);
    this.#listener.onKept();
  }

  #showFeedback(ask: Ask): void {
    const feedback = ask.phase.open?.feedback;
    if (!feedback) return;
    const shown = { key: "feedback", tone: "problem" as const, words: say("PageAskedAgain", this.#agent) };
    const lines = [feedback.summary, ...(feedback.errors ?? []).map(([, words]) => words)].filter(Boolean);
    this.#notices.show({ ...shown, quotation: lines.join("\n") });
  }

  #showReplies(replies: Replies): void {
    if (this.#element) this.#element.answers = replies;
    this.#outline.renew();
    if (this.#step === "review") this.#showChange();
  }

  /** Shows what the desk found. While a person types, what is wrong with that answer waits until they leave it. */
  #showProblems(problems: DeskProblem[], submitted = false): void {
    this.#problems = problems;
    const focused = submitted ? null : this.#element?.shadowRoot?.activeElement;
    const typing = focused?.matches("input, textarea, select") ? focused.closest<HTMLElement>("[data-id]")?.dataset.id : undefined;
    if (this.#element) showProblems(this.#element, problems.filter(({ path }) => typing === undefined || path?.[1] !== typing));
    const first = problems.map(({ path }) => path?.[1]).find((question) => typeof question === "string");
    if (submitted && first !== undefined) this.#element?.focusQuestion(String(first));
  }

  /** Takes whether the desk can be reached: nothing is called saved beside a line that says it cannot. */
  connect(isConnected: boolean): void {
    this.#isConnected = isConnected;
    if (isConnected) this.#mend();
    this.#showState(this.#saveState);
  }

  /** Takes back that the desk cannot be reached. */
  #mend(): void {
    this.#isBroken = false;
    this.#notices.hide("broken");
  }

  #showState(state: SaveState): void {
    if (state.kind === "saved" && state !== this.#saveState) this.#mend();
    this.#saveState = state;
    if (this.#step === "receipt") return;
    const isAway = this.#isBroken || !this.#isConnected;
    const isQuiet = state.kind === "idle" || state.kind === "saved";
    // What goes to a desk that does not reply is not saved.
    const isStuck = state.kind === "saving" && !this.#isConnected;
    const told: SaveState = isStuck ? { kind: "offline", waiting: this.#drafts.unsaved } : state;
    const words = isQuiet && isAway ? say("PageNotConnected") : describeSave(told);
    // The same words again would lay the page out at each key.
    if (this.#saveLine.textContent !== words) this.#saveLine.textContent = words;
    this.#saveLine.className = `save-line ${isQuiet && isAway ? "idle" : told.kind}`;
  }

  #showConflict(conflict: Conflict): void {
    if (!this.#element || !this.#ask) return;
    this.#conflicts.show(this.#element, conflict, questionsOf(this.#ask.questionnaire).find(({ id }) => id === conflict.question));
  }

  /** Runs a step of the person, and says what went wrong; everything typed stays. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    this.root.setAttribute("aria-busy", "true");
    if (this.#element) this.#element.busy = true;
    try {
      this.#notices.hide("failed");
      this.#mend();
      await work();
    } catch (error) {
      await this.#explain(error);
    } finally {
      this.root.removeAttribute("aria-busy");
      if (this.#element) this.#element.busy = false;
    }
  }

  async #explain(error: unknown): Promise<void> {
    if (!(error instanceof Refusal)) {
      this.#isBroken = true;
      this.#notices.show({ key: "broken", tone: "problem", words: say("PageBrokenKept") });
      this.#showState(this.#saveState);
      // Perhaps the desk has it, and only its reply was lost.
      return this.#reload();
    }
    const { code, causes } = error.problem;
    if (code === "invalid_answers") {
      this.#showQuestions();
      this.#showProblems(causes ?? [error.problem], true);
    }
    if (code === "draft_changed") {
      await this.#drafts.refresh();
      return this.#showChange();
    }
    if (error.status === 409) await this.#reload();
    if (this.#step !== "receipt") this.#notices.show({ key: "failed", tone: "problem", words: error.message });
  }
}

function isSoon({ deadline }: Ask): boolean {
  return deadline !== undefined && Date.parse(deadline) - Date.now() < SOON_MS;
}
