// The values that people see next to the labels of options, as the desk has them (`ShownValues`): what is sent must not
// hide behind another word.
import { agreeing, lookalikes, refusing } from "../../formats/consent.ts";
import type { ChoiceOption } from "../form.ts";

// The page reads forms but shows no values: marked as free of effects, these are no part of it.
const consentWords = /* @__PURE__ */ allConsentWords();
const latin = /* @__PURE__ */ latinLetters();

function allConsentWords(): Set<string> {
  return new Set([...agreeing, ...refusing]);
}

function latinLetters(): Map<string, string> {
  return new Map(Array.from(lookalikes.matchAll(/(.)(.)/gu), ([, letter = "", same = ""]): [string, string] => [letter, same]));
}

/** Returns the values shown, by the ids of their options. */
export function shownValues(options: readonly ChoiceOption[], hasAction: boolean): Map<string, string> {
  const looks = new Map<string, ChoiceOption[]>();
  for (const option of options) {
    const look = fold(option.label);
    looks.set(look, [...looks.get(look) ?? [], option]);
  }
  const shown = new Map<string, string>();
  for (const option of options) {
    const value = option.value ?? option.id;
    const look = fold(option.label);
    const isAlike = (looks.get(look)?.length ?? 0) > 1;
    const isNumber = option.value === undefined && /^o\d+$/.test(option.id);
    const isSame = isNumber || fold(value) === look;
    const imitates = (looks.get(fold(value)) ?? []).some((other) => other !== option);
    if (isAlike || (!isSame && (hasAction || imitates || speaksOfConsent(value)))) shown.set(option.id, value);
  }
  return shown;
}

/** Returns true if a value contains a word that agrees or refuses. */
function speaksOfConsent(value: string): boolean {
  const parts = value.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word.length > 1);
  return [value.trim(), ...parts].some((word) => consentWords.has(word.toLowerCase()));
}

const signs = /[\s_.,:;/\\|'"`()[\]{}…·\-\u2010-\u2015\u2018-\u201f\u3000-\u3003\u3008-\u3011\ufe0f\u2600-\u27bf\u{1f300}-\u{1faff}]/gu;

/** Returns how a text looks: cases, accents, separators and letters that imitate Latin ones are the same. */
function fold(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/[\u0300-\u036f]|[!?]$/g, "");
  const folded = plain.replaceAll(signs, (sign, at: number) => {
    const [before = "", after = ""] = [plain[at - 1], plain[at + 1]];
    if (!/\d/.test(after)) return "";
    if (/\d/.test(before)) return ".";
    return sign === "-" && !/[\p{L}\p{N}]/u.test(before) ? "-" : "";
  });
  return Array.from(folded, (letter) => latin.get(letter) ?? letter).join("").toLowerCase().replaceAll("ß", "ss");
}
