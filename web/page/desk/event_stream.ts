import { fetchWithProof } from "./session.ts";

/** Event of the desk: its name, and its data as JSON. */
export interface DeskEvent {
  name: string;
  data: { ask?: string; events?: { event: string; rev?: number }[]; retry_ms?: number };
}

/** The server sends a line every 15 seconds; a connection that is silent for longer has broken. */
const SILENCE_MS = 40_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8_000;

/**
 * The desk's changes, read by `fetch`, because an `EventSource` cannot send the proof of the session. It resumes
 * after the last event that it has read.
 */
export class EventStream {
  #onEvent: (event: DeskEvent) => void;
  #onState: (connected: boolean, status?: number) => void;
  #lastId = "";
  #retryMs = FIRST_RETRY_MS;
  #abort: AbortController | undefined;
  #wake: (() => void) | undefined;
  #silence = 0;
  #stopped = false;

  constructor(onEvent: (event: DeskEvent) => void, onState: (connected: boolean, status?: number) => void) {
    this.#onEvent = onEvent;
    this.#onState = onState;
  }

  /** Reads until {@link stop}. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      const status = await this.#read().catch(() => undefined);
      clearTimeout(this.#silence);
      if (this.#stopped) return;
      this.#onState(false, status);
      await this.#pause(this.#retryMs * (0.75 + Math.random() / 2));
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
    }
  }

  /** Connects again now, for example after the network came back. */
  retry(): void {
    this.#retryMs = FIRST_RETRY_MS;
    this.#wake?.();
  }

  /** Ends the stream. */
  stop(): void {
    this.#stopped = true;
    this.#abort?.abort();
    this.#wake?.();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  #heard(): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => this.#abort?.abort(), SILENCE_MS);
  }

  async #read(): Promise<number | undefined> {
    this.#abort = new AbortController();
    this.#heard();
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (this.#lastId) headers["last-event-id"] = this.#lastId;
    const reply = await fetchWithProof("/v1/events", { method: "GET", headers, signal: this.#abort.signal });
    if (!reply.ok || !reply.body) {
      void reply.body?.cancel();
      return reply.status;
    }
    this.#retryMs = FIRST_RETRY_MS;
    this.#onState(true);
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return undefined;
      this.#heard();
      const blocks = (text + value).split("\n\n");
      text = blocks.pop() ?? "";
      blocks.forEach((block) => this.#take(block));
    }
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1];
    const name = field("event");
    this.#lastId = field("id") ?? this.#lastId;
    if (name) this.#onEvent({ name, data: JSON.parse(field("data") || "{}") as DeskEvent["data"] });
  }
}
