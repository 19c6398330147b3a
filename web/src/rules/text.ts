// Text by the rules of a questionnaire.
import type { Rules } from "../../../schemas/sayso/request.ts";

/** White space of Unicode, as the desk trims it: not U+FEFF, which JavaScript trims too. */
const SPACE = "[\\t-\\r\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const ENDS = new RegExp(`^${SPACE}|${SPACE}$`, "g");

/** Returns a text without white space at both ends. */
export function trim(text: string): string {
  return text.replace(ENDS, "");
}

/** Returns a text as it is judged and sent. */
export function trimmed(rules: Rules, text: string): string {
  return rules.trim_text === false ? text : trim(text);
}

/** Returns true if a text counts as empty. */
export function isBlank(rules: Rules, text: string): boolean {
  return (rules.blank_text === true ? text : trim(text)) === "";
}

/** Returns the length of a text in the unit of the rules. */
export function lengthOf(rules: Rules, text: string): number {
  const judged = trimmed(rules, text);
  return rules.length_unit === "utf16" ? judged.length : [...judged].length;
}
