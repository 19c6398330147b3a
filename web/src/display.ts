// Escaping of an agent's text, as the desk does it for every surface (crates/core/src/display). Nothing is dropped: a
// character that controls, reorders or is invisible shows as a token, and so do combining marks that pile up.

/** Runs of space longer than this show as their length. */
const SHOWN_BLANKS = 40;
/** Combining marks on one character. */
const SHOWN_MARKS = 4;
/** Equal tokens in a row. */
const SHOWN_TOKENS = 40;
/** Blank lines in a row. */
const SHOWN_BLANK_LINES = 2;

/** Characters that control, reorder, or are invisible or for private use; signs before Arabic numbers are visible. */
const HIDDEN =
  /(?![\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800\u{13440}-\u{1345f}\u{1d159}]/u;
const BLANK = /[\t \xa0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]/;
const MARK = /[\p{Mn}\p{Me}]/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
const BEFORE_JOINER = /[\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}]/u;
const HAS_VARIANT = /[\p{Extended_Pictographic}#*0-9]/u;
/** Letters that need no look, and no long run of spaces. */
const PLAIN = /^(?!.* {41})[ -~]*$/;

/** Writer of one escaped line. */
class LineEscaper {
  shown = "";
  /** Marks on the last character; undefined without a character that they can combine with. */
  #marks: number | undefined;
  #blanks: string[] = [];
  #token = "";
  #count = 0;

  write(text: string): string {
    const letters = [...text];
    letters.forEach((letter, at) => this.#push(letter, letters[at - 1], letters[at + 1]));
    this.#endBlanks(true);
    this.#endToken();
    return this.shown;
  }

  #push(letter: string, before: string | undefined, after: string | undefined): void {
    if (BLANK.test(letter)) {
      this.#endToken();
      this.#blanks.push(letter);
      return;
    }
    this.#endBlanks(false);
    const isPart = letter === "\u200d"
      ? BEFORE_JOINER.test(before ?? "") && PICTOGRAPH.test(after ?? "")
      : (letter === "\ufe0e" || letter === "\ufe0f") && HAS_VARIANT.test(before ?? "");
    if (isPart && this.#count === 0) {
      this.shown += letter;
      return;
    }
    const isMark = letter >= "\u0300" && MARK.test(letter);
    if (HIDDEN.test(letter) || (isMark && (this.#marks === undefined || this.#marks >= SHOWN_MARKS))) {
      this.#putToken(letter);
      return;
    }
    this.#endToken();
    this.#marks = isMark ? (this.#marks ?? 0) + 1 : 0;
    this.shown += letter;
  }

  #putToken(letter: string): void {
    if (this.#count > 0 && this.#token === letter) {
      this.#count += 1;
    } else {
      this.#endToken();
      [this.#token, this.#count] = [letter, 1];
    }
    if (!MARK.test(letter)) this.#marks = undefined;
  }

  #endToken(): void {
    if (this.#count === 0) return;
    const token = tokenOf(this.#token);
    this.shown += this.#count <= SHOWN_TOKENS ? token.repeat(this.#count) : `${token} ⋮ ${this.#count} times ⋮`;
    this.#count = 0;
    this.#marks = undefined;
  }

  #endBlanks(isEnd: boolean): void {
    const count = this.#blanks.length;
    if (count === 0) return;
    const blanks = this.#blanks;
    this.#blanks = [];
    if (count > SHOWN_BLANKS) {
      const before = this.shown === "" || this.shown.endsWith(" ") ? "" : " ";
      this.shown += `${before}⋮ ${count} spaces ⋮${isEnd ? "" : " "}`;
      this.#marks = undefined;
      return;
    }
    for (const blank of blanks) {
      if (blank === "\u2800") {
        this.#putToken(blank);
      } else {
        if (blank !== "\t") this.#endToken();
        this.shown += blank === "\t" ? " " : blank;
      }
      this.#marks = 0;
    }
  }
}

function tokenOf(letter: string): string {
  return `⟦U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

/** Escapes a text for one line: line breaks show as tokens too. */
export function escapeLine(text: string): string {
  return PLAIN.test(text) ? text : new LineEscaper().write(text);
}

/** Escapes a text of several lines. A long run of blank lines shows as one that counts them. */
export function escapeLines(text: string): string[] {
  const shown: string[] = [];
  const parts = text.split("\n").map((part) => part.replace(/\r$/, ""));
  const isBlankLine = (part: string) => [...part].every((letter) => BLANK.test(letter) && !HIDDEN.test(letter));
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

/** Returns the address with every letter of its host that is not ASCII as a token. */
export function escapeAddress(url: string): string {
  const [, scheme = "", host = "", path = ""] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (scheme === "") return url;
  return scheme + [...host].map((letter) => (letter <= "\x7f" ? letter : tokenOf(letter))).join("") + path;
}
