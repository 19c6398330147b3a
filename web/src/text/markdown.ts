// Markdown as elements, laid out as in the terminal. Nothing in it can run, fetch or hide: HTML and comments are text,
// pictures are their address, and a link is text until it is asked for. Each part is read in time linear in its length.
import { escapeAddress, escapeLine, escapeLines } from "./display.ts";
import { button, h } from "../dom.ts";
import type { Say } from "../i18n.ts";
import * as messages from "../messages.ts";

const FENCE = /^ {0,3}(```+|~~~+) *(\S*)/;
const HEADING = /^ {0,3}(#{1,6})(?: +(.*))?$/;
const ITEM = /^( {0,3}(?:[-*+]|(\d{1,9})[.)]))( +|$)/;
const QUOTE = /^ {0,3}> ?/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
/** Line under the head of a table. */
const COLUMNS = /^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/;
const BLOCKS = [FENCE, HEADING, ITEM, QUOTE, RULE];
/** Quotes and lists within each other; what is deeper is running text. */
const MOST_DEPTH = 16;
/** Blocks, lines and marks of one text: what is more is plain text. */
const MOST_PARTS = 4_000;
/** Lines of one paragraph. */
const MOST_ROWS = 200;
/** Letters of a line, and about as many of a paragraph: a browser lays out only the paragraphs that are in view. */
const MOST_LETTERS = 8_000;
/** Lines and letters of a block that is taken for a long one before it is laid out. */
const [LONG_ROWS, LONG_LETTERS] = [20, 1_000];

/** What is left to be laid out of a text. */
interface Budget {
  say: Say;
  parts: number;
}

/** Returns the blocks of a text. */
export function markdown(text: string, say: Say): HTMLElement[] {
  const wide = text.replace(/^ *\t[ \t]*/gm, (blanks) => blanks.replaceAll("\t", "    "));
  const lines = escapeLines(wide);
  const blocks = blocksOf(lines.some(isLong) ? lines.flatMap(shorter) : lines, { say, parts: MOST_PARTS }, 0);
  if (blocks.length <= MOST_ROWS) return blocks;
  // A browser looks at each part by itself, whether it is near.
  const groups = Array.from({ length: Math.ceil(blocks.length / MOST_ROWS) }, (_, at) => blocks.slice(at * MOST_ROWS, (at + 1) * MOST_ROWS));
  return groups.map((group) => h("div", { class: "group" }, ...group));
}

/** Splits a line that is too long for one paragraph. */
function shorter(line: string): string[] {
  const parts: string[] = [];
  let at = 0;
  while (line.length - at > MOST_LETTERS) {
    const blank = line.lastIndexOf(" ", at + MOST_LETTERS);
    const end = blank > at ? blank : at + MOST_LETTERS;
    parts.push(line.slice(at, end));
    at = end;
  }
  return [...parts, line.slice(at)];
}

/** Returns true for a text of which a browser should lay out only what is near. */
export function isLong(text: string): boolean {
  return text.length > MOST_LETTERS;
}

/** Returns the nodes of a text on one line. */
export function inlineMarkdown(text: string, say: Say): (Node | string)[] {
  return inline(escapeLine(text), { say, parts: MOST_PARTS });
}

/** Returns a text without Markdown: for names and lists. */
export function plainText(text: string): string {
  return escapeLine(text.trim().split(/\n/).map((line) => line.trim()).join(" "));
}

function blocksOf(lines: readonly string[], budget: Budget, depth: number): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  for (let at = 0; at < lines.length;) {
    budget.parts -= 1;
    if (budget.parts < 0) return [...blocks, ...plainBlocks(lines.slice(at))];
    const [block, used] = blockAt(lines, at, budget, depth);
    if (block !== undefined) blocks.push(block);
    if (depth === 0 && (used > LONG_ROWS || lettersOf(lines.slice(at, at + used)) > LONG_LETTERS)) block?.classList.add("long");
    at += used;
  }
  return blocks;
}

function lettersOf(lines: readonly string[]): number {
  return lines.reduce((letters, line) => letters + line.length, 0);
}

/** Returns lines as they are, in parts of which a browser lays out those in view. */
function plainBlocks(lines: readonly string[]): HTMLElement[] {
  return partsOf(lines).map((part) => h("p", { class: "said long" }, part.join("\n")));
}

/** Splits lines into parts that are cheap to lay out. */
function partsOf(lines: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < lines.length;) {
    let letters = 0;
    const end = endOf(lines, at + 1, (one, place) => place < at + MOST_ROWS && (letters += one.length) < MOST_LETTERS);
    parts.push(lines.slice(at, end));
    at = end;
  }
  return parts;
}

function blockAt(lines: readonly string[], at: number, budget: Budget, depth: number): [HTMLElement | undefined, number] {
  const line = lines[at] ?? "";
  // Within a list or a quotation the first letters of the whole decide the direction.
  const isOuter = depth === 0;
  if (line.trim() === "") return [undefined, 1];
  const [, fence, language = ""] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const end = endOf(lines, at + 1, (one) => !one.trimStart().startsWith(fence));
    return [codeOf(lines.slice(at + 1, end), language, budget), end - at + 1];
  }
  if (RULE.test(line)) return [h("hr"), 1];
  const heading = HEADING.exec(line);
  if (heading !== null) return [h("p", { class: "heading", dir: isOuter && "auto" }, ...inline((heading[2] ?? "").replace(/ #+$/, ""), budget)), 1];
  if (depth < MOST_DEPTH && QUOTE.test(line)) {
    const end = endOf(lines, at, (one, place) => QUOTE.test(one) && place < at + MOST_ROWS);
    const inner = lines.slice(at, end).map((one) => one.replace(QUOTE, ""));
    return [h("blockquote", { dir: isOuter && "auto" }, ...blocksOf(inner, budget, depth + 1)), end - at];
  }
  if (depth < MOST_DEPTH && ITEM.test(line)) return listAt(lines, at, budget, depth);
  if (line.includes("|") && COLUMNS.test(lines[at + 1] ?? "")) {
    const most = at + 2 + budget.parts;
    const end = endOf(lines, at + 2, (one, place) => place <= most && one.includes("|"));
    const table = tableOf(lines.slice(at, end), budget);
    if (table !== undefined) return [table, end - at];
  }
  let letters = line.length;
  const end = endOf(lines, at + 1, (one, place) => place < at + MOST_ROWS && (letters += one.length) < MOST_LETTERS && one.trim() !== "" && !BLOCKS.some((pattern) => pattern.test(one)));
  budget.parts -= end - at;
  const rows = lines.slice(at, end).flatMap((row, index) => [index === 0 ? "" : "\n", ...inline(row.trim(), budget)]);
  return [h("p", { dir: isOuter && "auto" }, ...joined(rows)), end - at];
}

/** Joins texts that follow each other: a browser takes longer for many short ones. */
function joined(nodes: readonly (Node | string)[]): (Node | string)[] {
  const parts: (Node | string)[] = [];
  for (const node of nodes) {
    const last = parts.at(-1);
    if (typeof node === "string" && typeof last === "string") parts[parts.length - 1] = last + node;
    else parts.push(node);
  }
  return parts;
}

/** Returns the first place from `at` on that does not belong. */
function endOf(lines: readonly string[], at: number, belongs: (line: string, at: number) => boolean): number {
  let end = at;
  while (end < lines.length && belongs(lines[end] ?? "", end)) end += 1;
  return end;
}

/** Returns preformatted lines; those of a diff are marked as added or removed. */
function codeOf(lines: readonly string[], language: string, budget: Budget): HTMLElement {
  const isDiff = /^(diff|patch)$/i.test(language);
  const parts = partsOf(lines).map((part) => {
    if (isDiff) budget.parts -= part.length;
    const rows = isDiff && budget.parts >= 0 ? part.flatMap((line) => [diffLine(line), "\n"]) : [`${part.join("\n")}\n`];
    return h("span", { class: "rows" }, ...rows);
  });
  return h("pre", { dir: "auto" }, h("code", {}, ...(parts.length > 1 ? parts : parts.flatMap((part) => [...part.childNodes]))));
}

/** Returns a line of a diff. */
function diffLine(line: string): HTMLElement {
  const isHead = line.startsWith("+++") || line.startsWith("---");
  return h("span", { class: isHead ? undefined : line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined }, line);
}

function listAt(lines: readonly string[], at: number, budget: Budget, depth: number): [HTMLElement, number] {
  const start = ITEM.exec(lines[at] ?? "")?.[2];
  const items: HTMLElement[] = [];
  let next = at;
  for (let item = ITEM.exec(lines[next] ?? ""); item !== null && next - at < MOST_ROWS && (item[2] === undefined) === (start === undefined); item = ITEM.exec(lines[next] ?? "")) {
    const [{ length: width }] = item;
    const inner = [(lines[next] ?? "").slice(width)];
    const least = indentOf(lines[next]) + 2;
    for (next += 1; next < lines.length; next += 1) {
      const line = lines[next] ?? "";
      const isInner = indentOf(line) >= least;
      if (line.trim() === "" ? indentOf(lines[next + 1]) < least : !isInner && BLOCKS.some((pattern) => pattern.test(line))) break;
      inner.push(isInner ? line.slice(Math.min(indentOf(line), width)) : line);
    }
    items.push(h("li", {}, ...blocksOf(inner, budget, depth + 1)));
    // A blank line between items does not end the list.
    if ((lines[next] ?? "x").trim() === "" && ITEM.test(lines[next + 1] ?? "")) next += 1;
  }
  // The marks stand where the words begin: on the list, whose padding is for them, not on the items.
  const dir = depth === 0 && "auto";
  const list = start === undefined ? h("ul", { dir }, ...items) : h("ol", { dir, start }, ...items);
  return [list, next - at];
}

function indentOf(line = ""): number {
  return line.length - line.trimStart().length;
}

function tableOf([head = "", columns = "", ...rows]: readonly string[], budget: Budget): HTMLElement | undefined {
  const names = cellsOf(head);
  if (names.length !== cellsOf(columns).length || names.length * rows.length > budget.parts) return undefined;
  budget.parts -= names.length * rows.length;
  const row = (line: string, name: "td" | "th") => {
    const cells = cellsOf(line);
    return h("tr", {}, ...names.map((_, at) => h(name, {}, ...inline(cells[at] ?? "", budget))));
  };
  return h("div", { class: "table", tabindex: 0, dir: "auto" }, h("table", {}, h("thead", {}, row(head, "th")), h("tbody", {}, ...rows.map((line) => row(line, "td")))));
}

function cellsOf(line: string): string[] {
  return line.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Finds marks in a text from left to right: each is looked for once. */
class Finder {
  #text: string;
  #found = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the first place of a mark from `at` on; Infinity if there is none. */
  next(mark: string, at: number): number {
    const known = this.#found.get(mark) ?? -1;
    if (known >= at) return known;
    const found = this.#text.indexOf(mark, at);
    const place = found < 0 ? Infinity : found;
    this.#found.set(mark, place);
    return place;
  }
}

/** A mark that was read: its nodes, and the place after it. */
type Read = [nodes: (Node | string)[], end: number] | undefined;

function inline(text: string, budget: Budget): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  const finder = new Finder(text);
  let done = 0;
  for (const { index, 0: mark } of text.matchAll(/`+|\*\*?|!?\[|<(?=https?:)/g)) {
    if (index < done) continue;
    if (budget.parts <= 0) break;
    budget.parts -= 1;
    const read = readMark(text, mark, index, finder, budget);
    if (read === undefined) continue;
    nodes.push(text.slice(done, index), ...read[0]);
    [, done] = read;
  }
  nodes.push(text.slice(done));
  return nodes;
}

function readMark(text: string, mark: string, at: number, finder: Finder, budget: Budget): Read {
  const start = at + mark.length;
  switch (mark[0]) {
    case "`": {
      // Ends at a run of as many: a longer one is none.
      let end = finder.next(mark, start);
      while (end < Infinity && (text[end + mark.length] === "`" || text[end - 1] === "`")) {
        let after = end;
        while (text[after] === "`") after += 1;
        end = finder.next(mark, after);
      }
      return end < Infinity && end > start ? [[h("code", {}, text.slice(start, end))], end + mark.length] : undefined;
    }
    case "*": {
      const end = finder.next(mark, start + 1);
      if (end === Infinity || /[\s*]/.test(text[start] ?? " ")) return undefined;
      return [[h(mark === "*" ? "em" : "strong", {}, ...inline(text.slice(start, end), budget))], end + mark.length];
    }
    case "<": {
      const end = finder.next(">", start);
      const url = text.slice(start, Math.min(end, start + MOST_URL));
      return end < Infinity && end - start <= MOST_URL && !/\s/.test(url) ? [linkOf("", url, budget), end + 1] : undefined;
    }
    default: return readLink(text, mark, at, finder, budget);
  }
}

/** Characters of an address; a longer one is text. */
const MOST_URL = 8_000;

function readLink(text: string, mark: string, at: number, finder: Finder, budget: Budget): Read {
  const middle = finder.next("](", at);
  const end = finder.next(")", middle);
  if (end === Infinity || end - at > MOST_URL || finder.next("]", at) < middle) return undefined;
  const label = text.slice(at + mark.length, middle);
  const url = /^[^\s)]+/.exec(text.slice(middle + 2, end))?.[0];
  if (url === undefined) return undefined;
  return [mark === "![" ? [`[image: ${label}] (${escapeAddress(url)})`] : linkOf(label, url, budget), end + 1];
}

/** Returns a link: its text and its address, which can be opened once it was asked for. */
function linkOf(label: string, url: string, budget: Budget): (Node | string)[] {
  const shown = escapeAddress(url);
  const words = label === "" || label === url ? shown : `${label} (${shown})`;
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(url)) return [words];
  const link = h("span", {}, words, " ");
  link.append(button(budget.say(messages.LinkEnable), { class: "small" }, () => {
    const open = h("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, words);
    link.replaceWith(open);
    open.focus();
  }));
  return [link];
}
