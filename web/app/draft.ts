// What a person has typed so far, kept at the desk: the page may go at any time, and the next one begins with it.
import type { Replies, Reply } from "../src/api.ts";

/** Pause after an edit before it is saved. */
const PAUSE_MS = 300;
/** Nothing that comes earlier after the page was shown is taken for a person's. */
const PERSON_MS = 1_100;

/** Returns false if the edits are not saved and are to be tried again. */
type Save = (edits: Replies) => Promise<boolean>;

/** Edits on their way to the desk. One save is on its way at a time, with all edits since the last one. */
export class FormDraft {
  readonly #save: Save;
  #edits: Replies = {};
  #timer = 0;
  #shownAt = 0;
  #work: Promise<void> | undefined;
  #isStopped = false;

  constructor(save: Save) {
    this.#save = save;
  }

  /** The page was shown anew. */
  begin(): void {
    this.#shownAt = performance.now();
  }

  /** Takes an edit, and saves it soon. */
  edit(question: string, reply: Reply): void {
    this.#edits[question] = reply;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.flush(), PAUSE_MS);
  }

  /** Returns the edits that the desk does not have. */
  get edits(): Replies {
    return this.#edits;
  }

  /** Saves all edits now; returns once the desk has them, or has not taken them. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#work ??= this.#saveAll().finally(() => (this.#work = undefined));
    await this.#work;
  }

  /** Saves no more edits for now, since they are sent otherwise; returns once none is on its way. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isStopped = true;
    await this.#work;
    this.#isStopped = false;
  }

  /** Forgets the edits: the ask has ended. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#edits = {};
  }

  async #saveAll(): Promise<void> {
    const early = this.#shownAt + PERSON_MS - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    while (!this.#isStopped && Object.keys(this.#edits).length > 0) {
      const edits = this.#edits;
      this.#edits = {};
      if (await this.#save(edits)) continue;
      // The next edit tries them again, and what is sent has them all.
      this.#edits = { ...edits, ...this.#edits };
      return;
    }
  }
}
