import { askerName, folderName } from "./asker.ts";
import { type Row, type RowPage, call } from "../desk/requests.ts";
import { button, h } from "../../src/dom.ts";
import { langOf, speaker } from "../../src/i18n.ts";
import { exactLines } from "../../src/text/exact.ts";
import { quote, visible } from "../dom.ts";
import { SOON_MS, relative, timeElement } from "../times.ts";
import { say } from "../words.ts";

/** Lists of the inbox: what waits, and what has ended. */
export type InboxTab = "waiting" | "history";

const STATES: Record<InboxTab, string> = { waiting: "open,submitted", history: "answered,declined,cancelled,expired" };
const ENDS: Record<string, string> = {
  submitted: "PageStateSubmitted",
  answered: "PageStateAnswered",
  declined: "PageStateDeclined",
  cancelled: "PageStateCancelled",
  expired: "PageStateExpired",
};
/** Our verbs for acts. */
const VERBS: Record<string, string> = { run: "ActRun", write: "ActWrite", edit: "ActEdit", open: "ActOpen", call: "ActCall" };
const ROWS = 50;
const TYPING_MS = 150;

/** List of asks with a filter. Rows are links, so that a middle click or a long press opens another tab. */
export class InboxView {
  readonly root = h("nav", { class: "inbox", id: "inbox" });
  readonly #onCount: (count: number, more: boolean) => void;
  readonly #list = h("ol", { class: "rows" });
  readonly #empty = h("p", { class: "empty", hidden: true });
  readonly #more: HTMLButtonElement;
  readonly #tabs = new Map<InboxTab, HTMLButtonElement>();
  readonly #filter = h("input", { type: "search", class: "filter", autocomplete: "off", spellcheck: "false" });
  #tab: InboxTab = "waiting";
  #current = "";
  #rows: Row[] = [];
  /** Rows on the screen by their ids: one that has not changed is not made again. */
  #shown = new Map<string, { content: string; item: HTMLLIElement }>();
  #next: string | undefined;
  /** Rows that the person has asked for by «more». */
  #wanted = ROWS;
  #reading: Promise<void> | undefined;
  #again = false;

  constructor(onCount: (count: number, more: boolean) => void) {
    this.#onCount = onCount;
    this.root.setAttribute("aria-label", say("PageInbox"));
    this.#filter.placeholder = say("PageFilter");
    this.#filter.setAttribute("aria-label", say("PageFilter"));
    let timer = 0;
    this.#filter.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => void this.#restart(), TYPING_MS);
    });
    this.#more = button(say("PageMoreRows"), { class: "quiet more" }, () => {
      this.#wanted += ROWS;
      void this.refresh();
    });
    const tabs = h("div", { class: "tabs" });
    for (const [tab, words] of [["waiting", say("PageTabWaiting")], ["history", say("PageTabHistory")]] as const) {
      const press = button(words, { class: "tab" }, () => {
        this.#tab = tab;
        void this.#restart();
      });
      this.#tabs.set(tab, press);
      tabs.append(press);
    }
    this.root.append(h("div", { class: "tools" }, tabs, this.#filter), this.#list, this.#empty, this.#more);
    this.#markTab();
  }

  /** Returns the first ask that waits, other than this one. */
  nextWaiting(id: string): Row | undefined {
    if (this.#tab !== "waiting") return undefined;
    return this.#rows.find((row) => row.state === "open" && row.id !== id);
  }

  /** Marks the row of the ask that is shown. */
  select(id: string): void {
    this.#current = id;
    for (const link of this.#list.querySelectorAll("a")) {
      if (link.dataset.id === id) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  /** Shows the time that is left until each deadline, as it is now. */
  renew(): void {
    this.#showRows();
  }

  /** Reads the list again. Changes during a read make one more read. */
  async refresh(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #restart(): Promise<void> {
    this.#wanted = ROWS;
    this.#markTab();
    await this.refresh();
  }

  #markTab(): void {
    for (const [tab, press] of this.#tabs) press.setAttribute("aria-pressed", String(tab === this.#tab));
  }

  async #readAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const [tab, search] = [this.#tab, this.#filter.value.trim()];
      const page = await this.#read(tab, search);
      if (tab !== this.#tab || search !== this.#filter.value.trim()) continue;
      this.#show(page);
      if (tab === "waiting" && !search) this.#report(page);
      else this.#report(await this.#read("waiting", "", 100));
    }
  }

  #report({ asks, next }: RowPage): void {
    this.#onCount(asks.filter(({ state }) => state === "open").length, next !== undefined);
  }

  async #read(tab: InboxTab, search: string, rows = this.#wanted): Promise<RowPage> {
    const asks: Row[] = [];
    let next: string | undefined;
    do {
      const query = new URLSearchParams({ state: STATES[tab], rows: String(Math.min(rows - asks.length, 100)) });
      if (search) query.set("search", search);
      if (next) query.set("after", next);
      const page = await call<RowPage>("GET", `/v1/asks?${query}`);
      asks.push(...page.asks);
      next = page.next;
    } while (next && asks.length < rows);
    return next === undefined ? { asks } : { asks, next };
  }

  #show({ asks, next }: RowPage): void {
    this.#rows = asks;
    this.#next = next;
    this.#showRows();
    this.#more.hidden = this.#next === undefined;
    this.#empty.hidden = asks.length > 0;
    const nothing = this.#tab === "waiting" ? "PageNothing" : "NothingEnded";
    this.#empty.textContent = say(this.#filter.value.trim() ? "NothingFits" : nothing);
  }

  #showRows(): void {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.id : undefined;
    const shown = new Map(this.#rows.map((row) => [row.id, this.#item(row)]));
    this.#shown = shown;
    const items = [...shown.values()].map(({ item }) => item);
    const wanted = new Set<Element>(items);
    for (const old of [...this.#list.children]) if (!wanted.has(old)) old.remove();
    items.forEach((item, at) => {
      const there = this.#list.children[at] ?? null;
      if (there !== item) this.#list.insertBefore(item, there);
    });
    this.select(this.#current);
    const row = focused && this.#list.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`);
    if (row && row !== document.activeElement) row.focus();
  }

  /** Returns the item of a row: the one on the screen, if it would look the same. */
  #item(row: Row): { content: string; item: HTMLLIElement } {
    const content = JSON.stringify([row, deadlineOf(row)]);
    const known = this.#shown.get(row.id);
    return known?.content === content ? known : { content, item: h("li", {}, this.#row(row)) };
  }

  #row(row: Row): HTMLAnchorElement {
    const link = h("a", { href: `/a/${row.id}`, class: `row ${row.state}${row.seen ? "" : " unread"}` });
    link.dataset.id = row.id;
    const from = h("span", { class: "row-from" }, askerName({ ...row, name: row.asker }));
    if (row.folder) from.append(" · ", folderName(row.folder));
    const title = row.damaged ? say("PageDamaged") : titleOf(row);
    link.append(quote("span", title, "row-title"), from, this.#facts(row));
    if (!row.seen && row.state === "open") link.prepend(h("span", { class: "hidden-text" }, `${say("PageUnread")} `));
    return link;
  }

  #facts(row: Row): HTMLElement {
    const facts = h("span", { class: "row-facts" }, timeElement(row.state === "open" ? row.created_at : row.changed_at));
    const add = (words: string, tone = "") => facts.append(h("span", { class: `chip ${tone}` }, words));
    if (row.state === "open") {
      if (row.drafted) add(say("PageProgress", row.answered, row.asked), "begun");
      else if (row.asked > 1) add(say("PageQuestions", row.asked));
      const deadline = deadlineOf(row);
      if (deadline) add(say("PageEnds", deadline.left), deadline.isSoon ? "urgent" : "");
      if (row.attached) add(say("PageAgentWaits"), "blocks");
    } else {
      if (row.approved === false) add(say("PageStateAnsweredNo"), "declined");
      else add(say(row.approved ? "PageStateAllowed" : ENDS[row.state] ?? "PageStateExpired"), row.state);
      if (row.state === "answered" && !row.delivered) add(say(row.approved ? "PageNotTaken" : "PageNotFetched"));
    }
    return facts;
  }
}

/** Returns the act of a row as exact data, or its title. */
function titleOf({ act, title }: Row): string {
  if (act === undefined) return visible(title);
  const lines = exactLines(act.object, speaker(langOf(document.documentElement.lang)));
  return `${say(VERBS[act.verb] ?? "ActCall")} ${lines.join(" ")}`;
}

/** Returns the time that is left until the deadline of an open ask. */
function deadlineOf({ state, deadline }: Row): { left: string; isSoon: boolean } | undefined {
  if (state !== "open" || deadline === undefined) return undefined;
  return { left: relative(deadline), isSoon: Date.parse(deadline) - Date.now() < SOON_MS };
}
