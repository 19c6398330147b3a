import { askerName, folderName } from "./asker.ts";
import { type Row, type RowPage, call } from "../desk/requests.ts";
import { button, h } from "../../src/dom.ts";
import { langOf, speaker } from "../../src/i18n.ts";
import { localizeText } from "../../src/text/stored_text.ts";
import { painted, visible } from "../dom.ts";
import { FIRST_ROWS } from "../desk/session.ts";
import { SHELVES, type Shelf, shelfOf, sortWaiting } from "../shelves.ts";
import { SOON_MS, relative, timeElement } from "../times.ts";
import { say } from "../words.ts";

/** Lists of the inbox: what waits, and what has ended. */
export type InboxTab = "waiting" | "history";

const STATES: Record<InboxTab, string> = { waiting: "open,submitted", history: "answered,declined,cancelled,expired" };
const ENDS: Record<string, string> = {
  submitted: "PageStateSubmitted",
  answered: "IsAnswered",
  declined: "PageStateDeclined",
  cancelled: "PageStateCancelled",
  expired: "PageStateExpired",
};
/** Rows that a list begins with, and of each «more». */
const ROWS = 50;
/** Rows of what waits are drawn when the end of those that are drawn is this near. */
const AHEAD = "1000px";
/** Rows of a page of what waits. */
const PAGE_ROWS = 100;
/** The most rows of what waits that a browser holds. */
const MOST_ROWS = 2_000;
/** After more changes than these at once the list is read again as a whole. */
const MOST_CHANGES = 8;
const TYPING_MS = 150;
/** What could not be read is read again after this time. */
const RETRY_MS = 1_000;
const HEADS: Record<Shelf, string> = { questions: "PageShelfQuestions", plans: "PageShelfPlans", permissions: "PageShelfPermissions" };

/** List of asks with a filter. Rows are links, so that a middle click or a long press opens another tab. */
export class InboxView {
  readonly root = h("nav", { class: "inbox", id: "inbox" });
  readonly #onCount: (count: number, more: boolean) => void;
  readonly #onRows: () => void;
  readonly #lists = new Map(SHELVES.map((shelf) => {
    const head = h("h2", { class: "shelf", id: `shelf-${shelf}` });
    const list = h("ol", { class: "rows", "aria-labelledby": head.id });
    return [shelf, { head, list }] as const;
  }));
  readonly #empty = h("p", { class: "empty", hidden: true });
  readonly #more: HTMLButtonElement;
  readonly #tabs = new Map<InboxTab, HTMLButtonElement>();
  readonly #filter = h("input", { type: "search", class: "filter", autocomplete: "off", spellcheck: "false" });
  #tab: InboxTab = "waiting";
  #current = "";
  /** Place of the pointer above the list. WebKit tells what is under it (`:hover`) some time after the rows have moved. */
  #pointer: [x: number, y: number] | undefined;
  /** Asks that came after the one that is shown when it was opened. */
  #following = new Set<string>();
  /** All that waits, as far as it was read. */
  #waiting = new Map<string, Row>();
  #hasMore = false;
  /** Rows of the list, of which the first are drawn. */
  #rows: Row[] = [];
  /** Rows on the screen by their ids: one that has not changed is not made again. */
  #shown = new Map<string, { content: string; item: HTMLLIElement }>();
  #next: string | undefined;
  /** Rows that the person has come to, or has asked for by «more». */
  #wanted = ROWS;
  #reading: Promise<void> | undefined;
  #retrying = 0;
  /** What is to be read: everything, or the rows of these asks; and the list of the tab again. */
  #isStale = true;
  #changed = new Set<string>();
  #isListStale = true;

  constructor(onRows: () => void, onCount: (count: number, more: boolean) => void) {
    this.#onRows = onRows;
    this.#onCount = onCount;
    this.root.setAttribute("aria-label", say("PageInbox"));
    this.#filter.placeholder = say("PageFilter");
    this.#filter.setAttribute("aria-label", say("PageFilter"));
    let timer = 0;
    this.#filter.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => void this.#restart(), TYPING_MS);
    });
    this.#more = button(say("PageMoreRows"), { class: "quiet more" }, () => void this.#drawMore());
    const margins = { rootMargin: AHEAD, scrollMargin: AHEAD };
    new IntersectionObserver((entries) => {
      // Rows would push the button away from under the focus.
      const isHeld = this.#wanted < this.#rows.length && document.activeElement !== this.#more;
      if (entries.at(-1)?.isIntersecting && isHeld) void this.#drawMore();
    }, margins).observe(this.#more);
    const tabs = h("div", { class: "tabs" });
    for (const [tab, words] of [["waiting", say("PageTabWaiting")], ["history", say("PageTabHistory")]] as const) {
      const press = button(words, { class: "tab" }, () => {
        this.#tab = tab;
        void this.#restart();
      });
      this.#tabs.set(tab, press);
      tabs.append(press);
    }
    const shelves = [...this.#lists.values()].flatMap(({ head, list }) => [head, list]);
    this.root.append(h("div", { class: "tools" }, tabs, this.#filter), ...shelves, this.#empty, this.#more);
    const follow = ({ clientX, clientY }: PointerEvent) => void (this.#pointer = [clientX, clientY]);
    for (const name of ["pointermove", "pointerdown"] as const) this.root.addEventListener(name, follow, { passive: true });
    this.root.addEventListener("pointerleave", () => this.#settle());
    this.#markTab();
  }

  /** Draws or reads further rows; the focus goes from the button to the first of them. */
  async #drawMore(): Promise<void> {
    const hadFocus = document.activeElement === this.#more;
    const first = this.#wanted;
    this.#wanted += ROWS;
    if (first < this.#rows.length) this.#showRows();
    else await this.#readAgain();
    if (hadFocus) this.#link(this.#rows[first]?.id ?? "")?.focus();
  }

  /** Returns the next ask that waits, in the order of the list, and how many there are; not this one. */
  nextWaiting(id: string): { row: Row; count: number } | undefined {
    const open = sortWaiting(this.#waiting.values()).filter((row) => row.state === "open" && row.id !== id);
    const row = open.find((one) => this.#following.has(one.id)) ?? open[0];
    return row && { row, count: open.length };
  }

  /** Marks the row of the ask that is shown. */
  select(id: string): void {
    if (id && (id !== this.#current || this.#following.size === 0)) {
      const ids = sortWaiting(this.#waiting.values()).map((row) => row.id);
      this.#following = new Set(ids.slice(ids.indexOf(id) + 1));
    }
    this.#current = id;
    this.root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.#link(id)?.setAttribute("aria-current", "page");
  }

  /** Moves the focus to the row before or after the one that has it, or after the ask that is shown. */
  step(by: 1 | -1): void {
    const ids = this.#rows.map(({ id }) => id);
    const focused = ids.indexOf(focusedId() ?? "");
    const from = focused < 0 ? ids.indexOf(this.#current) : focused;
    const to = Math.max(0, Math.min(ids.length - 1, from + by));
    if (to >= this.#wanted) {
      this.#wanted = to + ROWS;
      this.#showRows();
    }
    this.#link(ids[to] ?? "")?.focus();
  }

  /** Moves the focus to the filter. */
  focusFilter(): void {
    this.#filter.focus();
  }

  /** Shows the time that is left until each deadline, as it is now. */
  renew(): void {
    this.#showRows();
  }

  /** Shows that somebody saw an ask. Returns false if its row has to be read for that. */
  markSeen(id: string): boolean {
    const row = this.#waiting.get(id);
    if (row === undefined || this.#reading !== undefined) return false;
    row.seen = true;
    const found = this.#rows.find((one) => one.id === id);
    if (found) found.seen = true;
    this.#showRows();
    return true;
  }

  /** Reads everything again, or the row of an ask that changed. Changes during a read make one more. */
  async refresh(ask?: string): Promise<void> {
    if (ask === undefined) this.#isStale = true;
    else this.#changed.add(ask);
    await this.#readAgain();
  }

  #link(id: string): HTMLAnchorElement | null {
    return this.root.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  async #restart(): Promise<void> {
    this.#wanted = ROWS;
    this.#markTab();
    await this.#readAgain();
  }

  #markTab(): void {
    for (const [tab, press] of this.#tabs) press.setAttribute("aria-pressed", String(tab === this.#tab));
  }

  async #readAgain(): Promise<void> {
    this.#isListStale = true;
    this.#reading ??= this.#readAll().catch((error: unknown) => {
      // Which rows were not read is unknown, so all are, soon: the counts are true again then.
      this.#isStale = true;
      clearTimeout(this.#retrying);
      this.#retrying = window.setTimeout(() => void this.#readAgain().catch(() => undefined), RETRY_MS);
      throw error;
    }).finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#isListStale) {
      this.#isListStale = false;
      await this.#readWaiting();
      const [tab, search] = [this.#tab, this.#filter.value.trim()];
      if (tab === "waiting" && !search) this.#show({ asks: sortWaiting(this.#waiting.values()) });
      else {
        const page = await this.#read(tab, search);
        const asks = tab === "waiting" ? sortWaiting(page.asks) : page.asks;
        if (tab === this.#tab && search === this.#filter.value.trim()) this.#show({ ...page, asks });
      }
      this.#count();
    }
  }

  /** Reads what waits: all of it, or what has changed. */
  async #readWaiting(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    if (this.#isStale || changed.length > MOST_CHANGES) {
      this.#isStale = true;
      await this.#readWhole();
      this.#isStale = false;
      return;
    }
    const found = await Promise.all(changed.map(async (id) => {
      const query = new URLSearchParams({ state: STATES.waiting, rows: "2", search: id });
      const { asks } = await call<RowPage>("GET", `/v1/asks?${query}`);
      return asks.find((row) => row.id === id);
    }));
    changed.forEach((id, at) => {
      const row = found[at];
      if (row) this.#waiting.set(id, row);
      else this.#waiting.delete(id);
    });
  }

  async #readWhole(): Promise<void> {
    const isFirst = this.#waiting.size === 0;
    const rows = new Map<string, Row>();
    let target = FIRST_ROWS;
    let next: string | undefined;
    do {
      const page = await call<RowPage>("GET", target);
      for (const row of page.asks) rows.set(row.id, row);
      next = page.next;
      // The first rows are on the screen before the others are read.
      if (isFirst && target === FIRST_ROWS && this.#tab === "waiting" && !this.#filter.value.trim()) {
        this.#show({ asks: sortWaiting(rows.values()) });
        if (next) await painted();
      }
      if (next) target = `/v1/asks?${new URLSearchParams({ state: STATES.waiting, rows: String(PAGE_ROWS), after: next })}`;
    } while (next && rows.size < MOST_ROWS);
    this.#waiting = rows;
    this.#hasMore = next !== undefined;
  }

  #count(): void {
    const count = [...this.#waiting.values()].filter(({ state }) => state === "open").length;
    const shown = count === 0 ? "" : ` ${count}${this.#hasMore ? "+" : ""}`;
    const tab = this.#tabs.get("waiting");
    if (tab) tab.textContent = say("PageTabWaiting") + shown;
    this.#onCount(count, this.#hasMore);
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
    this.#empty.hidden = asks.length > 0;
    const nothing = this.#tab === "waiting" ? "PageNothing" : "NothingEnded";
    this.#empty.textContent = say(this.#filter.value.trim() ? "NothingFits" : nothing);
    this.#onRows();
  }

  /** Changes the page; the row under the pointer stays where it is. */
  hold(change: (pointed: HTMLElement | null) => void): void {
    const under = this.#pointer && document.elementFromPoint(...this.#pointer);
    const pointed = under?.closest<HTMLElement>(".rows > li") ?? null;
    const before = pointed?.getBoundingClientRect().top ?? 0;
    change(pointed);
    if (pointed?.isConnected) this.#holdStill(pointed.getBoundingClientRect().top - before);
  }

  /** Shows the rows. */
  #showRows(): void {
    this.hold((pointed) => this.#drawRows(pointed));
  }

  #drawRows(pointed: HTMLElement | null): void {
    const focused = focusedId();
    const isWaiting = this.#tab === "waiting";
    const shown = new Map<string, { content: string; item: HTMLLIElement }>();
    const used = [focused, pointed?.querySelector("a")?.dataset.id];
    this.#wanted = Math.max(this.#wanted, this.#rows.findLastIndex(({ id }) => used.includes(id)) + 1);
    const drawn = new Set(this.#rows.slice(0, this.#wanted));
    for (const shelf of SHELVES) {
      const rows = this.#rows.filter((row) => (isWaiting ? shelfOf(row) : "questions") === shelf);
      this.#showShelf(shelf, rows, drawn, isWaiting, pointed, shown);
    }
    this.#shown = shown;
    this.#more.hidden = this.#next === undefined && this.#wanted >= this.#rows.length;
    this.select(this.#current);
    const row = focused && this.#link(focused);
    if (row && row !== document.activeElement) row.focus({ preventScroll: true });
  }

  #showShelf(shelf: Shelf, rows: Row[], drawn: Set<Row>, hasHead: boolean, pointed: HTMLElement | null, shown: Map<string, { content: string; item: HTMLLIElement }>): void {
    const { head, list } = this.#lists.get(shelf) ?? {};
    if (!head || !list) return;
    const items: HTMLElement[] = rows.filter((row) => drawn.has(row)).map((row) => {
      const entry = this.#item(row);
      shown.set(row.id, entry);
      return entry.item;
    });
    // A row that has gone leaves once the pointer does: the press that is about to come was meant for it.
    if (pointed && pointed.parentElement === list && !items.includes(pointed)) {
      pointed.classList.add("gone");
      items.splice([...list.children].indexOf(pointed), 0, pointed);
    }
    head.hidden = !hasHead || items.length === 0;
    list.hidden = items.length === 0;
    // As in the title, what its asker checks does not wait for the person.
    const count = rows.filter(({ state }) => state === "open").length;
    const hasMore = this.#next !== undefined || (this.#hasMore && !this.#filter.value.trim());
    const shownCount = count === 0 ? "" : `${count}${hasMore ? "+" : ""}`;
    head.replaceChildren(say(hasHead ? HEADS[shelf] : "PageTabHistory"), " ", h("span", { class: "count" }, shownCount));
    const wanted = new Set<Element>(items);
    for (const old of [...list.children]) if (!wanted.has(old)) old.remove();
    items.forEach((item, at) => {
      const there = list.children[at] ?? null;
      if (there !== item) list.insertBefore(item, there);
    });
  }

  /** Takes back a movement of the row under the pointer: by scrolling, or by room where the list cannot be scrolled. */
  #holdStill(moved: number): void {
    if (moved === 0) return;
    const { style } = this.root;
    const scroller = this.root.scrollHeight > this.root.clientHeight ? this.root : document.scrollingElement ?? this.root;
    if (moved > 0) style.paddingBlockEnd = `${moved + 16}px`;
    const top = scroller.scrollTop;
    scroller.scrollTop = top + moved;
    const left = moved - (scroller.scrollTop - top);
    if (left > 0) style.marginBlockStart = `${(parseFloat(style.marginBlockStart) || 0) - left}px`;
    if (left < 0) style.paddingBlockStart = `${parseFloat(getComputedStyle(this.root).paddingBlockStart) - left}px`;
  }

  /** The pointer has left: what was held still is put in order. */
  #settle(): void {
    this.#pointer = undefined;
    this.root.style.paddingBlock = this.root.style.marginBlockStart = "";
    if (this.root.querySelector(".gone")) this.#showRows();
  }

  /** Returns the item of a row: the one on the screen, if it would look the same. */
  #item(row: Row): { content: string; item: HTMLLIElement } {
    const content = JSON.stringify([row, deadlineOf(row)]);
    const known = this.#shown.get(row.id);
    if (known?.content === content) return known;
    // The item stays, so that a press that has begun on it ends on it.
    const item = known?.item ?? h("li", {}, h("a", {}));
    item.classList.remove("gone");
    const link = item.querySelector("a");
    if (link) this.#fill(link, row);
    return { content, item };
  }

  #fill(link: HTMLAnchorElement, row: Row): void {
    link.href = `/a/${row.id}`;
    link.className = `row ${row.state}${row.seen ? "" : " unread"}`;
    link.dataset.id = row.id;
    link.title = row.damaged ? "" : titleOf(row);
    const from = h("span", { class: "row-from" }, askerName({ ...row, name: row.asker }));
    if (row.folder) from.append(" · ", folderName(row.folder));
    const title = row.damaged ? say("PageDamaged") : titleOf(row);
    const time = h("span", { class: "row-time" }, timeElement(row.state === "open" ? row.created_at : row.changed_at));
    link.replaceChildren(h("span", { class: "row-title", dir: "auto" }, title), time, from, this.#facts(row));
    if (!row.seen && row.state === "open") link.prepend(h("span", { class: "hidden-text" }, `${say("PageUnread")} `));
  }

  #facts(row: Row): HTMLElement {
    const facts = h("span", { class: "row-facts" });
    const add = (words: string, tone = "plain") => facts.append(h("span", { class: `chip ${tone}` }, words));
    if (row.state === "open") {
      if (row.drafted) add(say("PageProgress", row.answered, row.asked), "begun");
      else if (row.asked > 1) add(say("PageQuestions", row.asked));
      const deadline = deadlineOf(row);
      if (deadline) add(say("PageEnds", deadline.left), deadline.isSoon ? "urgent" : undefined);
      if (row.attached) add(say("RowBlocks"), "blocks");
    } else {
      if (row.approved === false) add(say("IsAnsweredNo"), "declined");
      else add(say(row.approved ? "IsAllowed" : ENDS[row.state] ?? "PageStateExpired"), row.state);
      if (row.state === "answered" && !row.delivered) add(say(row.approved ? "PageNotTaken" : "PageNotFetched"));
    }
    return facts;
  }
}

/** Returns the ask whose row has the focus. */
function focusedId(): string | undefined {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset.id : undefined;
}

/** Returns the act of a row, or its title. It is escaped. */
export function titleOf({ act_phrase: phrase, title }: Row): string {
  return phrase ?? visible(localizeText(title, speaker(langOf(document.documentElement.lang))));
}

/** Returns the time that is left until the deadline of an open ask. */
function deadlineOf({ state, deadline }: Row): { left: string; isSoon: boolean } | undefined {
  if (state !== "open" || deadline === undefined) return undefined;
  return { left: relative(deadline), isSoon: Date.parse(deadline) - Date.now() < SOON_MS };
}
