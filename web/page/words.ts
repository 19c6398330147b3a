import { byId } from "./dom.ts";

let table: Record<string, string> = {};

/** Reads the sentences that the server wrote into the page, in the person's language. */
export function loadWords(): void {
  table = JSON.parse(byId("words").textContent ?? "{}") as Record<string, string>;
}

/** Returns a sentence of the catalogue with its arguments. */
export function say(name: string, ...args: (string | number)[]): string {
  const template = table[name] ?? name;
  return template.replace(/\{(\d+)(?::([^|}]*)\|([^}]*))?\}/g, (_, at: string, one?: string, many?: string) => {
    const value = args[Number(at)] ?? "";
    if (one === undefined) return String(value);
    return String(value) === "1" ? one : (many ?? "");
  });
}
