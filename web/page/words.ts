import { quotable } from "../src/text/display.ts";

const table = (globalThis as { saysoWords?: Record<string, string> }).saysoWords ?? {};

/** Returns a sentence of the catalogue with its arguments. `/words.js` has them in the person's language. */
export function say(name: string, ...args: (string | number)[]): string {
  const template = table[name] ?? name;
  return template.replace(/\{(\d+)(?::([^|}]*)(?:\|([^}]*))?)?\}/g, (_, at: string, one?: string, many?: string) => {
    const value = String(args[Number(at)] ?? "");
    if (many !== undefined) return value === "1" ? one ?? "" : many;
    return one === "foreign" ? quotable(value) : value;
  });
}
