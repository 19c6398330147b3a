import { type Ask, type Draft, type DeskProblem, Refusal, type Replies, type Reply, askPath, call } from "./requests.ts";
import { keepEdits, takeEdits } from "./kept_edits.ts";
import { isLost, isSame } from "./lost_words.ts";

/** State of the draft at the desk, for the person to read. */
export type SaveState =
  | { kind: "idle" }
  | { kind: "saving" }
  | { kind: "saved"; at: Date }
  | { kind: "offline"; waiting: number }
  | { kind: "signed_out"; waiting: number }
  | { kind: "refused"; words: string };

/** An answer that someone else gave to a question while this person had another. */
export interface Conflict {
  question: string;
  /** The reply of this page. */
  mine: Reply;
  /** The reply from elsewhere. */
  theirs: Reply;
  /** The one that the draft now has. */
  shown: "mine" | "theirs";
}

/** Calls of a draft to the page. */
export interface DraftListener {
  /** Replies changed elsewhere; they are the whole draft. */
  onReplies(replies: Replies): void;
  onProblems(problems: DeskProblem[]): void;
  onState(state: SaveState): void;
  onConflict(conflict: Conflict): void;
  /** Edits are kept in this browser, or no longer. */
  onKept(): void;
  /** The ask has ended, so nothing more is saved. */
  onEnded(): void;
}

/** Pause after a keystroke before it is saved: typing at 150 characters a minute makes 5 saves a second at most. */
const PAUSE_MS = 120;
/** An edit never waits longer, however fast somebody types. */
const MOST_MS = 250;
/** Edits that the desk does not have by then are kept in this browser. */
const KEEP_MS = 250;
const RETRY_MS = [500, 1_000, 2_000, 4_000];

/**
 * Saves the edits that this browser kept of an ask, unless it has ended or someone else has changed these answers: then
 * they wait until the person opens it.
 */
export async function sendKept(ask: string): Promise<void> {
  const { state } = await call<Ask>("GET", askPath(ask));
  if (state !== "open") return;
  let isChanged = false;
  const drafts: DraftSync = new DraftSync(ask, {
    onReplies: () => undefined,
    onProblems: () => undefined,
    onState: () => undefined,
    onKept: () => undefined,
    onEnded: () => drafts.close(),
    onConflict: () => {
      isChanged = true;
    },
  });
  await drafts.load();
  drafts.merge();
  if (!isChanged) await drafts.flush();
  await drafts.keeping;
  drafts.close();
}

/**
 * Keeps a draft the same here and at the desk. One save is in flight at a time, with all edits since the last one.
 * The desk refuses a save of a question that was saved elsewhere since; the last edit then counts, and the other
 * reply is given to the person instead of being lost.
 */
export class DraftSync {
  readonly #ask: string;
  readonly #listener: DraftListener;
  #rev = 0;
  /** The draft as the desk has it, as far as this page knows. */
  #saved: Replies = {};
  /** Edits that the desk does not have. */
  #pending: Replies = {};
  #inFlight: Replies = {};
  /** The last reply to each question that was sent from here: its return is no news. */
  #sent: Replies = {};
  /** The last edit of each question on this page. */
  #typed: Replies = {};
  #timer = 0;
  #keepTimer = 0;
  /** This browser has all edits that the desk does not have. */
  #isKept = false;
  /** This browser may have some. */
  #hasRecord = false;
  /** Time of the last edit. */
  #editedAt = 0;
  /** Answers of someone else that the person has not decided on, by question. */
  #conflicts = new Map<string, Conflict>();
  #keeping: Promise<void> = Promise.resolve();
  #firstEdit = 0;
  #tries = 0;
  #work: Promise<void> | undefined;
  /** The draft of the desk as it was read, until {@link merge}. */
  #loaded: Draft | undefined;
  #closed = false;

  constructor(ask: string, listener: DraftListener) {
    this.#ask = ask;
    this.#listener = listener;
  }

  /** Returns the replies with the edits of this page. */
  get replies(): Replies {
    return { ...this.#saved, ...this.#inFlight, ...this.#pending };
  }

  /** Returns the revision of the draft that this page knows. */
  get rev(): number {
    return this.#rev;
  }

  /** Returns the number of edits that the desk does not have. */
  get unsaved(): number {
    return Object.keys({ ...this.#inFlight, ...this.#pending }).length;
  }

  /** Returns whether the desk does not have the edit of a question. */
  isUnsaved(question: string): boolean {
    return question in this.#inFlight || question in this.#pending;
  }

  /** Returns whether an edit would be lost with this tab. */
  get isAtRisk(): boolean {
    return this.unsaved > 0 && !this.#isKept;
  }

  /** Ends once this browser keeps what the desk does not have, and nothing else. */
  get keeping(): Promise<void> {
    return this.#keeping;
  }

  /** Reads the draft from the desk, and the edits that this browser kept while the desk was away. */
  async load(): Promise<void> {
    const [draft, kept] = await Promise.all([call<Draft>("GET", askPath(this.#ask, "/draft")), takeEdits(this.#ask)]);
    this.#rev = draft.rev;
    this.#saved = { ...draft.replies, ...kept.base };
    this.#pending = kept.replies;
    this.#typed = { ...kept.replies };
    this.#editedAt = kept.at;
    for (const conflict of kept.conflicts) this.#conflicts.set(conflict.question, conflict);
    this.#isKept = this.#hasRecord = this.unsaved + this.#conflicts.size > 0;
    this.#loaded = draft;
  }

  /** Merges the edits that were kept with the draft that was read. */
  merge(): void {
    this.#conflicts.forEach((conflict) => this.#listener.onConflict(conflict));
    if (this.#loaded) this.#merge(this.#loaded);
    this.#loaded = undefined;
  }

  /** Takes the person's decision on someone else's answer. */
  settle(question: string): void {
    if (this.#conflicts.delete(question)) void this.#keep();
  }

  /** Makes the replies that someone else's replaced edits again: the ask has ended, and no one decides on them any more. */
  reclaim(): void {
    for (const { question, mine, shown } of this.#conflicts.values()) if (shown === "theirs") this.#pending[question] ??= mine;
  }

  /** Takes an edit, and saves it soon. */
  edit(question: string, reply: Reply): void {
    if (this.#closed || isSame(this.replies[question] ?? { state: "unanswered" }, reply)) return;
    this.#pending[question] = reply;
    this.#typed[question] = reply;
    const now = this.#editedAt = Date.now();
    if (!this.#timer) this.#firstEdit = now;
    clearTimeout(this.#timer);
    const wait = Math.min(PAUSE_MS, Math.max(0, this.#firstEdit + MOST_MS - now));
    this.#timer = window.setTimeout(() => void this.flush(), wait);
    this.#keepTimer ||= window.setTimeout(() => void this.#keep(), KEEP_MS);
    if (this.#tries === 0) this.#listener.onState({ kind: "saving" });
  }

  /** Saves all edits now; returns once the desk has them, or has refused them. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#work ??= this.#saveAll().finally(() => (this.#work = undefined));
    await this.#work;
  }

  /**
   * Sends the edits while the page goes away; there is no time to read a reply. If someone else has saved since, the desk
   * refuses them: then they stay in this browser.
   */
  leave(): void {
    if (this.unsaved === 0 || this.#closed) return;
    const body = { replies: { ...this.#inFlight, ...this.#pending } };
    const kept = this.#keep();
    const rest = { replies: {}, base: {}, conflicts: [...this.#conflicts.values()], at: this.#editedAt };
    const forget = () => kept.then(() => keepEdits(this.#ask, rest));
    const headers = { "if-match": `"${this.#rev}"` };
    void call("PATCH", askPath(this.#ask, "/draft"), body, { headers, keepalive: true }).then(forget).catch(() => undefined);
  }

  /** Reads what was saved elsewhere, unless this is the revision that the page knows. */
  async refresh(rev?: number): Promise<void> {
    if (this.#closed || (rev !== undefined && rev <= this.#rev)) return;
    await this.#work;
    if (rev !== undefined && rev <= this.#rev) return;
    this.#merge(await call<Draft>("GET", askPath(this.#ask, "/draft")));
  }

  /** Ends the synchronization: the ask has ended or another one is shown. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#keepTimer);
  }

  /** Keeps the edits that the desk does not have in this browser, and forgets those that it has; one after the other. */
  #keep(): Promise<void> {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = 0;
    return (this.#keeping = this.#keeping.then(() => this.#keepNow()));
  }

  async #keepNow(): Promise<void> {
    const replies = { ...this.#inFlight, ...this.#pending };
    const questions = Object.keys(replies);
    const conflicts = [...this.#conflicts.values()];
    // What is kept of an ask that has ended stays; what the desk has goes.
    if (questions.length + conflicts.length > 0 ? this.#closed : !this.#hasRecord) return;
    const base = Object.fromEntries(questions.map((id) => [id, this.#saved[id] ?? { state: "unanswered" as const }]));
    // A browser whose storage is full or shut keeps nothing, and warns before the tab is closed.
    this.#isKept = await keepEdits(this.#ask, { replies, base, conflicts, at: this.#editedAt }).then(() => true, () => false);
    if (this.#isKept) this.#hasRecord = questions.length + conflicts.length > 0;
    this.#listener.onKept();
  }

  async #saveAll(): Promise<void> {
    while (!this.#closed && Object.keys(this.#pending).length > 0) {
      this.#inFlight = { ...this.#inFlight, ...this.#pending };
      this.#pending = {};
      try {
        await this.#save();
        this.#tries = 0;
      } catch (error) {
        this.#pending = { ...this.#inFlight, ...this.#pending };
        this.#inFlight = {};
        this.#fail(error);
        return;
      }
    }
    if (this.#closed || this.unsaved > 0) return;
    this.#listener.onState({ kind: "saved", at: new Date() });
    // A browser whose storage is slow holds up no save.
    if (this.#hasRecord) void this.#keep();
  }

  async #save(): Promise<void> {
    const sent = this.#inFlight;
    Object.assign(this.#sent, sent);
    for (;;) {
      const headers = { "if-match": `"${this.#rev}"` };
      try {
        const saved = await call<{ rev: number; problems: DeskProblem[] }>(
          "PATCH", askPath(this.#ask, "/draft"), { replies: sent }, { headers },
        );
        const isNext = saved.rev === this.#rev + 1;
        this.#saved = { ...this.#saved, ...sent };
        this.#inFlight = {};
        // Someone else saved other questions in between.
        if (isNext) this.#rev = saved.rev;
        else this.#merge(await call<Draft>("GET", askPath(this.#ask, "/draft")));
        this.#listener.onProblems(saved.problems);
        return;
      } catch (error) {
        if (!(error instanceof Refusal && error.problem.code === "draft_changed")) throw error;
        this.#merge(await call<Draft>("GET", askPath(this.#ask, "/draft")));
      }
    }
  }

  /** Takes the draft of the desk; edits of this page that are not saved stay. */
  #merge(draft: Draft): void {
    const before = this.replies;
    const unsaved = { ...this.#inFlight, ...this.#pending };
    for (const [question, theirs] of Object.entries(draft.replies)) {
      if (isSame(theirs, this.#saved[question]) || isSame(theirs, this.#sent[question])) continue;
      const mine = unsaved[question];
      if (mine && isLost(theirs, mine)) this.#raise({ question, mine, theirs, shown: "mine" });
      const typed = this.#typed[question];
      if (!mine && typed && isLost(typed, theirs)) this.#raise({ question, mine: typed, theirs, shown: "theirs" });
      if (!mine) delete this.#typed[question];
    }
    this.#rev = draft.rev;
    this.#saved = draft.replies;
    if (!isSame(before, this.replies)) this.#listener.onReplies(this.replies);
  }

  /** Shows an answer of someone else, and keeps both until the person has decided. */
  #raise(conflict: Conflict): void {
    this.#conflicts.set(conflict.question, conflict);
    this.#listener.onConflict(conflict);
    void this.#keep();
  }

  #fail(error: unknown): void {
    if (error instanceof Refusal && error.status === 401) {
      this.#listener.onState({ kind: "signed_out", waiting: this.unsaved });
    } else if (error instanceof Refusal && error.status < 500 && error.status !== 429) {
      if (error.problem.code === "ask_answered" || error.status === 404) this.#listener.onEnded();
      this.#listener.onState({ kind: "refused", words: error.message });
      return;
    } else {
      this.#listener.onState({ kind: "offline", waiting: this.unsaved });
    }
    void this.#keep();
    const wait = RETRY_MS[Math.min(this.#tries, RETRY_MS.length - 1)] ?? 1_000;
    this.#tries += 1;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.flush(), wait);
  }
}
