const table = (globalThis as { saysoWords?: Record<string, string> }).saysoWords ?? {};

/** Returns a sentence of the catalogue with its arguments. `/words.js` has them in the person's language. */
export function say(name: string, ...args: (string | number)[]): string {
  const template = table[name] ?? name;
  return template.replace(/\{(\d+)(?::([^|}]*)\|([^}]*))?\}/g, (_, at: string, one?: string, many?: string) => {
    const value = args[Number(at)] ?? "";
    if (one === undefined) return String(value);
    return String(value) === "1" ? one : (many ?? "");
  });
}
