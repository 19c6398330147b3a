// Exact data of an action, as the desk shows it (crates/core/src/display/exact.rs). No character is replaced or left out:
// what cannot be seen, or imitates a letter, is a token, and so is a literal bracket of a token.
import { BLANK, HIDDEN, MARK, PLAIN, SHOWN_BLANK_LINES, SHOWN_BLANKS, SHOWN_MARKS, hostLetters, tokenOf } from "./display.ts";
import { lookalikes } from "../../formats/consent.ts";
import type { Sentence, Say } from "../i18n.ts";
import * as messages from "../messages.ts";

/** Scripts whose letters imitate each other: Latin, Greek, Cyrillic, and three that borrow their forms. */
const SCRIPTS = [
  /[A-Za-z\xc0-\u02af\u1e00-\u1eff]/, /[\u0370-\u03ff\u1f00-\u1fff]/, /[\u0400-\u052f\u1c80-\u1c8f\ua640-\ua69f]/,
  /[\u0530-\u058f\u10a0-\u10ff\u13a0-\u13ff]/,
];
const NAMES = new Map([[" ", "⟦SP⟧"], ["\t", "⟦TAB⟧"], ["\r", "⟦CR⟧"]]);

/** Word with its place; an own word has letters of its script alone, and one with no Latin look-alike. */
interface Word { start: number; end: number; script: number; isMixed: boolean; isOwn: boolean }

function wordsOf(line: string): Word[] {
  return [...line.matchAll(/[\p{Alphabetic}\p{N}\p{Mn}\p{Me}]+/gu)].map(({ 0: text, index }) => {
    const letters = [...text].filter((letter) => /\p{Alphabetic}/u.test(letter));
    const scripts = new Set(letters.map(scriptOf).filter((script) => script >= 0));
    const isOwn = scripts.size === 1 && letters.some((letter) => !lookalikes.includes(letter));
    return { start: index, end: index + text.length, script: [...scripts][0] ?? -1, isMixed: scripts.size > 1, isOwn };
  });
}

function scriptOf(letter: string): number {
  return SCRIPTS.findIndex((script) => script.test(letter));
}

/** Returns the places of letters that a person may take for others. */
function imitatingLetters(line: string): Set<number> {
  const words = wordsOf(line);
  const joins = (before: Word | undefined, after: Word | undefined) =>
    before !== undefined && after !== undefined && /^,? $/.test(line.slice(before.end, after.start));
  const imitating = words.filter(({ script, isMixed, isOwn }, at) => {
    if (isMixed || isOwn || script < 1) return isMixed;
    const [before, word, after] = [words[at - 1], words[at], words[at + 1]];
    const beside = [joins(before, word) ? before : undefined, joins(word, after) ? after : undefined].filter((one) => one !== undefined);
    return !(beside.every((one) => one.script === script && !one.isMixed) && beside.some((one) => one.isOwn));
  });
  const places = hostLetters(line);
  for (const { start, end } of imitating) {
    for (let at = start; at < end; at += 1) {
      if (/\p{Alphabetic}/u.test(line.charAt(at)) && scriptOf(line.charAt(at)) > 0) places.add(at);
    }
  }
  return places;
}

/** Returns a line up to its last letter that can be seen. */
function seenPart(line: string): string {
  const letters = [...line];
  const last = letters.findLastIndex((letter) => !BLANK.test(letter) && !HIDDEN.test(letter));
  return letters.slice(0, last + 1).join("");
}

function exactLine(line: string): string {
  if (PLAIN.test(line) && !line.endsWith(" ") && !line.includes("\\n\\n\\n\\n")) return line;
  const imitating = imitatingLetters(line);
  const end = seenPart(line).length;
  // Marks on the last letter; as many as show if there is none that they can combine with.
  let [marks, at, shown] = [SHOWN_MARKS, 0, ""];
  for (const letter of line) {
    const isMark = MARK.test(letter);
    const isToken = letter === " " ? at >= end
      : BLANK.test(letter) || HIDDEN.test(letter) || /[⟦⟧]/.test(letter) || imitating.has(at) || (isMark && marks >= SHOWN_MARKS);
    if (!isMark) marks = isToken ? SHOWN_MARKS : 0;
    else if (!isToken) marks += 1;
    shown += isToken ? NAMES.get(letter) ?? tokenOf(letter) : letter;
    at += letter.length;
  }
  return shown
    .replaceAll(/⟦([^⟧]+)⟧(?:⟦\1⟧)+/g, (run, name: string) => `⟦${name} ×${run.length / (name.length + 2)}⟧`)
    .replaceAll(new RegExp(` {${SHOWN_BLANKS + 1},}`, "g"), (run) => `⟦SP ×${run.length}⟧`)
    .replaceAll(/(?:\\n){4,}/g, (run) => `⟦\\n ×${run.length / 2}⟧`);
}

/** Returns our note on a line that ends in `\`, or seems to. */
function lineEnd(line: string): Sentence | undefined {
  const end = seenPart(line);
  const slashes = /\\*$/.exec(end)?.[0].length ?? 0;
  if (slashes === 0) return undefined;
  if (end !== line || slashes % 2 === 0) return messages.LineEndsHere;
  return line.includes("#") ? messages.LineContinuesUnlessComment : messages.LineContinues;
}

/** Returns the lines of exact data as shown. A line that ends in `\` says if the next one continues it. */
export function exactLines(text: string, say: Say): string[] {
  const shown: string[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (lines[end] === "") end += 1;
    if (end - at > SHOWN_BLANK_LINES) {
      shown.push(`⟦${say([messages.EmptyLines, end - at])}⟧`);
      at = end;
      continue;
    }
    const line = lines[at] ?? "";
    const note = at + 1 < lines.length ? lineEnd(line) : undefined;
    shown.push(note === undefined ? exactLine(line) : `${exactLine(line)} ⟦${say(note)}⟧`);
    at += 1;
  }
  return shown;
}

/** Quotes an argument of a program as one line. */
export function quoteArgument(argument: string): string {
  const escapes = new Map([["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"]]);
  return `"${argument.replaceAll(/["\\\n\r\t]/g, (letter) => escapes.get(letter) ?? `\\${letter}`)}"`;
}
