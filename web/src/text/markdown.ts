// A small part of Markdown as elements. Nothing in it can run, fetch or hide: HTML and comments are text, pictures are
// their address, and a link is text until it is asked for.
import { escapeAddress, escapeLine, escapeLines } from "./display.ts";
import { button, h } from "../dom.ts";
import type { Say } from "../i18n.ts";
import * as messages from "../messages.ts";

const FENCE = /^ {0,3}(```+|~~~+)(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?: +(.*?))?(?: +#+)?$/;
const ITEM = /^ {0,9}(?:[-*+]|(\d{1,9})[.)]) +(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const INLINE = new RegExp(
  "(`+)(.+?)\\1(?!`)"
  + "|\\*\\*(?=\\S)(.+?)\\*\\*|\\*(?=[^\\s*])(.+?)\\*"
  + "|(!?)\\[([^\\]]*)\\]\\(([^\\s)]+)[^)]*\\)|<(https?:[^\\s>]+)>",
);

/** Returns the blocks of a text. */
export function markdown(text: string, say: Say): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  const lines = escapeLines(text);
  for (let at = 0; at < lines.length;) {
    const [block, used] = blockAt(lines, at, say);
    if (block !== undefined) blocks.push(block);
    at += used;
  }
  return blocks;
}

/** Returns the nodes of a text on one line. */
export function inlineMarkdown(text: string, say: Say): (Node | string)[] {
  return inline(escapeLine(text), say);
}

/** Returns a text without Markdown: for names and lists. */
export function plainText(text: string): string {
  return escapeLine(text.replace(/\s*\n\s*/g, " ").trim());
}

function blockAt(lines: string[], at: number, say: Say): [HTMLElement | undefined, number] {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) {
    let end = at + 1;
    while (end < lines.length && !(lines[end] ?? "").trimStart().startsWith(fence)) end += 1;
    return [h("pre", { dir: "auto" }, h("code", {}, lines.slice(at + 1, end).join("\n"))), end - at + 1];
  }
  if (line.trim() === "") return [undefined, 1];
  if (RULE.test(line)) return [h("hr"), 1];
  const heading = HEADING.exec(line);
  if (heading !== null) return [h("p", { class: "heading", dir: "auto" }, ...inline(heading[2] ?? "", say)), 1];
  for (const [pattern, make] of [[ITEM, listOf], [QUOTE, quoteOf]] as const) {
    let end = at;
    while (end < lines.length && pattern.test(lines[end] ?? "")) end += 1;
    if (end > at) return [make(lines.slice(at, end), say), end - at];
  }
  let end = at + 1;
  while (end < lines.length && isRunningText(lines[end] ?? "")) end += 1;
  const rows = lines.slice(at, end).flatMap((row, index) =>
    index === 0 ? inline(row.trim(), say) : [h("br"), ...inline(row.trim(), say)]);
  return [h("p", { dir: "auto" }, ...rows), end - at];
}

function isRunningText(line: string): boolean {
  return line.trim() !== "" && ![FENCE, HEADING, ITEM, QUOTE, RULE].some((pattern) => pattern.test(line));
}

function listOf(lines: string[], say: Say): HTMLElement {
  const first = ITEM.exec(lines[0] ?? "")?.[1];
  const items = lines.map((line) => h("li", {}, ...inline(ITEM.exec(line)?.[2] ?? "", say)));
  // The marks stand where the words begin: on the list, whose padding is for them, not on the items.
  return first === undefined ? h("ul", { dir: "auto" }, ...items) : h("ol", { dir: "auto", start: first }, ...items);
}

function quoteOf(lines: string[], say: Say): HTMLElement {
  const rows = lines.flatMap((line) => [...inline(QUOTE.exec(line)?.[1] ?? "", say), h("br")]);
  return h("blockquote", { dir: "auto" }, ...rows);
}

function inline(text: string, say: Say): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let rest = text;
  for (let match = INLINE.exec(rest); match !== null; match = INLINE.exec(rest)) {
    const [whole, , code, bold, slanted, image, label = "", url = "", bare = url] = match;
    nodes.push(rest.slice(0, match.index));
    if (code !== undefined) nodes.push(h("code", {}, code));
    else if (bold !== undefined) nodes.push(h("strong", {}, ...inline(bold, say)));
    else if (slanted !== undefined) nodes.push(h("em", {}, ...inline(slanted, say)));
    else if (image) nodes.push(`[image: ${label}] (${escapeAddress(url)})`);
    else nodes.push(...linkOf(label, bare, say));
    rest = rest.slice(match.index + whole.length);
  }
  nodes.push(rest);
  return nodes;
}

/** Returns a link: its text and its address, which can be opened once it was asked for. */
function linkOf(label: string, url: string, say: Say): (Node | string)[] {
  const shown = escapeAddress(url);
  const words = label === "" || label === url ? shown : `${label} (${shown})`;
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(url)) return [words];
  const link = h("span", {}, words, " ");
  link.append(button(say(messages.LinkEnable), { class: "small" }, () => {
    const open = h("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, words);
    link.replaceWith(open);
    open.focus();
  }));
  return [link];
}
