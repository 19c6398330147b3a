import { AskView } from "./views/ask_view.ts";
import { showWaiting } from "./badge.ts";
import { Refusal, call } from "./desk/requests.ts";
import { button, h } from "../src/dom.ts";
import { byId } from "./dom.ts";
import { loadElement } from "./element.ts";
import { sendKept } from "./desk/draft_sync.ts";
import { countEdits, dropEdits, unsentAsks } from "./desk/kept_edits.ts";
import { type DeskEvent, EventStream } from "./desk/event_stream.ts";
import { InboxView } from "./views/inbox_view.ts";
import { registerWorker } from "./install.ts";
import { hasKey, leadToSignIn, signOut } from "./desk/session.ts";
import { listenForKeys, showKeys } from "./keys.ts";
import { renewTimes } from "./times.ts";
import { say } from "./words.ts";
import { afterPress } from "../src/press.ts";

const TICK_MS = 20_000;
/** Drafts and first looks change little in a row of the inbox, and come often. */
const ROW_PAUSE_MS = 500;
const MINOR = new Set(["drafted", "seen"]);

/** The whole page: the inbox, the ask that is shown, and the stream of changes that keeps both right. */
class Page {
  /** The icon is drawn anew after the rows. */
  readonly #inbox = new InboxView(() => this.#showInbox(), (count, more) => void setTimeout(() => showWaiting(count, more)));
  readonly #main = byId("main");
  readonly #connection = byId("connection");
  readonly #stream = new EventStream((event) => this.#take(event), (connected, status) => this.#connect(connected, status));
  #view: AskView | undefined;
  #wasConnected = false;
  /** How far the list was scrolled when an ask took its place, on a phone. */
  #listTop = 0;
  /** Asks whose rows are read soon, and the timer of that. */
  #minor = new Set<string>();
  #refreshing = 0;

  /** Follows what changes at the desk. */
  follow(): void {
    void this.#stream.run();
  }

  /** Reads the inbox and the ask of this address. */
  async read(): Promise<void> {
    this.#view?.close();
    this.#view = undefined;
    await Promise.all([this.#inbox.refresh().catch(() => undefined), this.#route()]);
  }

  /** Shows the list, once its first rows are there: the desk gives them only to a person who is signed in. */
  #showInbox(): void {
    if (!this.#inbox.root.isConnected) byId("layout").prepend(this.#inbox.root);
  }

  /** Shows what is read to a person who is signed in. */
  start(account: string): void {
    byId("account").textContent = account;
    // Without a connection the line says so, and nothing is deleted.
    byId("sign-out").addEventListener("click", () => void signOut().catch(() => this.#connect(false)));
    this.#showInbox();
    document.addEventListener("click", (event) => this.#follow(event));
    byId("keys").addEventListener("click", showKeys);
    listenForKeys({
      step: (by) => this.#inbox.step(by),
      filter: () => this.#inbox.focusFilter(),
      mark: (yes) => this.#view?.mark(yes),
    });
    window.addEventListener("popstate", () => void this.#route());
    window.addEventListener("online", () => {
      this.#stream.retry();
      void this.#view?.resume().catch(() => undefined);
    });
    window.addEventListener("pagehide", () => this.#view?.leave());
    window.addEventListener("beforeunload", (event) => {
      if (this.#view?.isAtRisk) event.preventDefault();
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#stream.retry();
    });
    setInterval(() => {
      renewTimes(document);
      this.#inbox.renew();
      this.#view?.renew();
    }, TICK_MS);
  }

  /** Opens links to asks on this page. */
  #follow(event: MouseEvent): void {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href^='/']") : null;
    const stays = link && (link.pathname === "/" || link.pathname.startsWith("/a/")) && !link.hash;
    if (!plain || !stays || event.defaultPrevented) return;
    event.preventDefault();
    history.pushState(null, "", link.pathname);
    void this.#route(true);
  }

  async #route(byPerson = false): Promise<void> {
    const id = /^\/a\/([^/]+)$/.exec(location.pathname)?.[1] ?? "";
    if (id && this.#view?.id === id) {
      const step = stepOf(location.hash);
      if (step !== undefined) this.#view.goTo(step);
      return;
    }
    this.#view?.close();
    this.#view = undefined;
    this.#inbox.select(id);
    if (!document.body.classList.contains("has-ask")) this.#listTop = scrollY;
    document.body.classList.toggle("has-ask", id !== "");
    if (!id) {
      this.#main.replaceChildren(this.#welcome());
      if (byPerson) scrollTo(0, this.#listTop);
      return;
    }
    await this.#open(id, byPerson);
  }

  async #open(id: string, byPerson: boolean): Promise<void> {
    const view = new AskView(id, {
      // The stream of changes says so, too, if there is one.
      onChanged: () => {
        if (!this.#connection.hidden) this.#refresh(id);
      },
      onReopened: () => void this.#reopen(id),
      onKept: () => void this.showKept(),
      next: () => this.#inbox.nextWaiting(id),
      onStep: (next) => {
        const step = view.place === 0 ? "" : `#step-${view.place + 1}`;
        const hash = next === "review" ? "#review" : step;
        if (location.hash !== hash) history.pushState(null, "", hash || location.pathname);
      },
    });
    this.#view = view;
    if (!this.#connection.hidden) view.connect(false);
    this.#main.replaceChildren(view.root);
    if (byPerson) {
      this.#main.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    try {
      await view.open();
      if (location.hash) history.replaceState(null, "", location.pathname);
      void this.showKept();
    } catch (error) {
      if (this.#view !== view) return;
      if (error instanceof Refusal && error.status === 401) return leadToSignIn();
      const isUnknown = error instanceof Refusal && error.status === 404;
      const words = isUnknown ? say("PageNoAsk") : error instanceof Refusal ? error.message : say("PageBroken");
      const way = isUnknown
        ? h("a", { class: "button primary", href: "/" }, say("PageInbox"))
        : button(say("PageTryAgain"), { class: "primary" }, () => void this.#reopen(id));
      this.#main.replaceChildren(h("section", { class: "failed" }, h("p", { role: "alert" }, words), way));
    }
  }

  async #reopen(id: string): Promise<void> {
    this.#view?.close();
    await this.#open(id, false);
  }

  #welcome(): HTMLElement {
    return h("section", { class: "welcome" }, h("h2", {}, say("PageWelcome")), h("p", {}, say("PageWelcomeHow")));
  }

  #take({ name, data }: DeskEvent): void {
    if (name === "change") {
      if (data.ask && data.ask === this.#view?.id) this.#view.take(data.events ?? []);
      if (data.ask && data.events?.every(({ event }) => event === "seen") && this.#inbox.markSeen(data.ask)) return;
      if (data.ask && data.events?.every(({ event }) => MINOR.has(event))) this.#refreshSoon(data.ask);
      else this.#refresh(data.ask);
    } else if (name === "gap") {
      this.#refresh();
      void this.#view?.resume().catch(() => undefined);
    }
  }

  /** Reads the row of an ask again, or all. */
  #refresh(ask?: string): void {
    void this.#inbox.refresh(ask).catch(() => undefined);
  }

  #refreshSoon(ask: string): void {
    this.#minor.add(ask);
    this.#refreshing ||= window.setTimeout(() => {
      const asks = [...this.#minor];
      this.#minor.clear();
      this.#refreshing = 0;
      asks.forEach((one) => this.#refresh(one));
    }, ROW_PAUSE_MS);
  }

  #connect(connected: boolean, status?: number): void {
    if (status === 401) {
      if (!this.#view?.hasUnsaved) return leadToSignIn();
    }
    afterPress(() => this.#inbox.hold(() => {
      this.#connection.hidden = connected;
      if (!connected) this.#connection.textContent = say(status === 401 ? "PageSignedOut" : "PageBroken");
    }));
    // The stream resumes after its last event; what a restart of the server lost is read again.
    if (connected && this.#wasConnected) {
      this.#refresh();
      void this.#view?.resume().catch(() => undefined);
    }
    this.#wasConnected ||= connected;
    this.#view?.connect(connected);
    if (connected) void this.#sendKept();
  }

  /** Saves what this browser kept of other asks while the desk was away. */
  async #sendKept(): Promise<void> {
    for (const ask of await unsentAsks()) {
      if (ask === this.#view?.id) continue;
      await sendKept(ask).catch((error: unknown) => (error instanceof Refusal && error.status === 404 ? dropEdits(ask) : undefined));
    }
    await this.showKept();
  }

  /** Says how many edits the desk does not have, other than those of the ask that is shown. */
  async showKept(): Promise<void> {
    const counts = await countEdits();
    if (this.#view?.isShown) counts.delete(this.#view.id);
    const [[first] = []] = counts;
    const count = [...counts.values()].reduce((sum, more) => sum + more, 0);
    const line = byId("kept");
    afterPress(() => this.#inbox.hold(() => {
      line.hidden = first === undefined;
      const shown = `${first} ${count}`;
      if (first === undefined || line.dataset["shown"] === shown) return;
      line.dataset["shown"] = shown;
      line.replaceChildren(`${say("PageKeptHere", count)} `, h("a", { href: `/a/${first}` }, say("PageKeptOpen")));
    }));
  }
}

/** Returns the step of an ask that an address names; undefined for another part of the page. */
function stepOf(hash: string): number | "review" | undefined {
  if (hash === "") return 0;
  if (hash === "#review") return "review";
  const [, step] = /^#step-(\d+)$/.exec(hash) ?? [];
  return step === undefined ? undefined : Number(step) - 1;
}

async function start(page: Page): Promise<void> {
  // All at once: the desk refuses each of them if no one is signed in.
  const reading = page.read();
  try {
    const { account } = await call<{ account: string }>("GET", "/v1/me");
    page.start(account);
    await reading;
    // The next click opens an ask. If the element cannot be read now, it is read then.
    await loadElement().catch(() => undefined);
    // Last, so that the worker finds every part in the browser's cache and reads none a second time.
    registerWorker();
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return leadToSignIn();
    const connection = byId("connection");
    connection.textContent = say("PageBroken");
    connection.hidden = false;
    await page.showKept();
    setTimeout(() => void start(page), 2_000);
  }
}

if (await hasKey()) {
  const page = new Page();
  page.follow();
  void start(page);
} else if (document.readyState === "complete") {
  leadToSignIn();
} else {
  // A browser keeps what it has read whole.
  addEventListener("load", () => leadToSignIn());
}
