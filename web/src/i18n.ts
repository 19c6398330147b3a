// Sentences of the catalogue in the person's language.
import { escapeLine, quotable } from "./text/display.ts";
/** A sentence in English and in Chinese: one of `messages.ts`. */
export type Sentence = readonly [string, string];

/** A sentence, one with arguments, or words of the asker. */
export type Message = string | Sentence | readonly [Sentence, ...(string | number)[]];

/** Languages of the catalogue. */
export type Lang = "en" | "zh";

/** Says a message in one language; an agent's words in it are escaped. */
export type Say = (message: Message) => string;

/** Returns the language of the catalogue for a language tag. */
export function langOf(tag: string | null | undefined): Lang {
  return /^zh\b/i.test(tag ?? "") ? "zh" : "en";
}

/** Returns the speaker of a language. */
export function speaker(lang: Lang): Say {
  return (message) => {
    if (typeof message === "string") return escapeLine(message);
    const [first, ...args] = message;
    const sentence = typeof first === "string" ? (message as Sentence) : first;
    const template = sentence[lang === "zh" ? 1 : 0];
    return template.replaceAll(/\{(\d)(?::([^|}]*)(?:\|([^}]*))?)?\}/g, (_, place: string, one?: string, several?: string) => {
      const arg = String(args[Number(place)] ?? "");
      if (several !== undefined) return arg === "1" ? one ?? "" : several;
      return one === "foreign" ? quotable(arg) : escapeLine(arg);
    });
  };
}
