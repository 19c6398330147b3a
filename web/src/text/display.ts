// Escaping of an agent's text, as the desk does it for every surface (crates/core/src/display). Nothing is dropped: a
// character that controls, reorders or is invisible shows as a token, and so do combining marks that pile up.

/** Runs of space longer than this show as their length. */
export const SHOWN_BLANKS = 40;
/** Combining marks on one character. */
export const SHOWN_MARKS = 4;
/** Equal tokens in a row. */
const SHOWN_TOKENS = 40;
/** Blank lines in a row. */
export const SHOWN_BLANK_LINES = 2;

/** Characters that control, reorder, or are invisible or for private use; signs before Arabic numbers are visible. */
export const HIDDEN =
  /(?![\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800\u{13440}-\u{1345f}\u{1d159}]/u;
export const BLANK = /[\t \xa0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]/;
const BLANKS = /^[\t \xa0\u1680\u2000-\u200a\u202f\u205f\u3000]*$/;
export const MARK = /[\p{Mn}\p{Me}]/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
const BEFORE_JOINER = /[\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}]/u;
const HAS_VARIANT = /[\p{Extended_Pictographic}#*0-9]/u;
/** Characters of our own marks: tokens themselves where others wrote them. */
const OF_MARKS = /[⟦⟧⋮]/;
/** Letters that need no look, and no long run of spaces. */
export const PLAIN = /^(?!.* {41})[ -~]*$/;

/** Letters of most languages that are written without marks, likewise. */
const ORDINARY = /^(?!.* {41})[ -~\xa1-\xac\xae-\u02ff\u0370-\u0377\u0384-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u21ff\u2500-\u25ff\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]*$/;

/** Escapes one line, letter by letter. */
function escapeLetters(text: string): string {
  const letters = [...text];
  let shown = "";
  // Marks on the last character; undefined without a character that they can combine with.
  let marks: number | undefined;
  let blanks: string[] = [];
  let [token, count] = ["", 0];
  const endToken = () => {
    if (count === 0) return;
    shown += count <= SHOWN_TOKENS ? tokenOf(token).repeat(count) : `${tokenOf(token)} ⋮ ${count} times ⋮`;
    count = 0;
    marks = undefined;
  };
  const putToken = (letter: string) => {
    if (token !== letter) endToken();
    token = letter;
    count += 1;
    if (!MARK.test(letter)) marks = undefined;
  };
  const endBlanks = (end: string) => {
    const run = blanks;
    blanks = [];
    if (run.length > SHOWN_BLANKS) {
      shown += `${shown === "" || shown.endsWith(" ") ? "" : " "}⋮ ${run.length} spaces ⋮${end}`;
      marks = undefined;
      return;
    }
    for (const blank of run) {
      if (blank === "\u2800") putToken(blank);
      else {
        endToken();
        shown += blank === "\t" ? " " : blank;
      }
      marks = 0;
    }
  };
  letters.forEach((letter, at) => {
    if (BLANK.test(letter)) {
      endToken();
      blanks.push(letter);
      return;
    }
    endBlanks(" ");
    const before = letters[at - 1] ?? "";
    const isPart = letter === "\u200d"
      ? BEFORE_JOINER.test(before) && PICTOGRAPH.test(letters[at + 1] ?? "")
      : /[\ufe0e\ufe0f]/.test(letter) && HAS_VARIANT.test(before);
    if (isPart && count === 0) {
      shown += letter;
      return;
    }
    const isMark = MARK.test(letter);
    if (HIDDEN.test(letter) || OF_MARKS.test(letter) || (isMark && (marks ?? SHOWN_MARKS) >= SHOWN_MARKS)) {
      putToken(letter);
      return;
    }
    endToken();
    marks = isMark ? (marks ?? 0) + 1 : 0;
    shown += letter;
  });
  endBlanks("");
  endToken();
  return shown;
}

export function tokenOf(letter: string): string {
  return `⟦U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

/** Escapes a text for one line: line breaks show as tokens too. */
export function escapeLine(text: string): string {
  return ORDINARY.test(text) ? text : escapeLetters(text);
}

/** Puts a text on one line that fits between quotation marks of ours: it has none that would end the quotation. */
export function quotable(text: string): string {
  const line = text.split(/[\n\v\f\r\x85\u2028\u2029]/).filter((part, _, parts) => parts.length === 1 || part.trim() !== "");
  return withoutQuotationMarks(escapeLine(line.length === 1 ? line.join("") : line.map((part) => part.trim()).join(" ")));
}

/** Replaces what would end a quotation of ours in a line that is escaped already. */
export function withoutQuotationMarks(line: string): string {
  return line.replaceAll(/["“”„‟«»″〞＂]/g, "'");
}

/** Returns whether a name, quoted, can be part of a sentence of ours. Any other goes on a line of its own. */
export function isPlainName(name: string): boolean {
  return /^[\w.:/-]{1,64}$/.test(name);
}

/** What makes a text need a look at each line: a letter other than ASCII, many spaces, or blank lines in a row. */
const UNUSUAL = /[^\n -~]| {41}|\n *\n *(?:\n|$)/;

/** Escapes a text of several lines. A long run of blank lines shows as one that counts them. */
export function escapeLines(text: string): string[] {
  if (!UNUSUAL.test(text)) return text.split("\n");
  const shown: string[] = [];
  const parts = text.split("\n").map((part) => part.replace(/\r$/, ""));
  const isBlankLine = (part: string) => BLANKS.test(part);
  for (let at = 0; at < parts.length;) {
    let end = at;
    while (end < parts.length && isBlankLine(parts[end] ?? "")) end += 1;
    if (end - at > SHOWN_BLANK_LINES) {
      shown.push(`⋮ ${end - at} blank lines`);
      at = end;
    } else {
      shown.push(escapeLine(parts[at] ?? ""));
      at += 1;
    }
  }
  return shown;
}

/** Returns the places of what is not ASCII in the hosts of addresses. */
export function hostLetters(line: string): Set<number> {
  const places = new Set<number>();
  for (const { 0: address, index } of line.matchAll(/:\/\/[^\0- /?#\\"'<>`\x7f]*/g)) {
    for (let at = 0; at < address.length; at += 1) if (address.charCodeAt(at) > 0x7f) places.add(index + at);
  }
  return places;
}

/** Returns the address with every letter of its host that is not ASCII as a token. */
export function escapeAddress(url: string): string {
  const places = hostLetters(url);
  let [shown, at] = ["", 0];
  for (const letter of url) {
    shown += places.has(at) ? tokenOf(letter) : letter;
    at += letter.length;
  }
  return shown;
}
