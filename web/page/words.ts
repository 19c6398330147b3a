import { quotable, withoutQuotationMarks } from "../src/text/display.ts";

/** Text that the desk has escaped already. */
export interface SafeText {
  safe: string;
}

const table = (globalThis as { saysoWords?: Record<string, string> }).saysoWords ?? {};

/** Returns a sentence of the catalogue with its arguments. `/words.js` has them in the person's language. */
export function say(name: string, ...args: (string | number | SafeText)[]): string {
  const template = table[name] ?? name;
  return template.replace(/\{(\d+)(?::([^|}]*)(?:\|([^}]*))?)?\}/g, (_, at: string, one?: string, many?: string) => {
    const arg = args[Number(at)] ?? "";
    if (typeof arg === "object") return withoutQuotationMarks(arg.safe.replaceAll("\n", " "));
    const value = String(arg);
    if (many !== undefined) return value === "1" ? one ?? "" : many;
    return one === "foreign" ? quotable(value) : value;
  });
}
