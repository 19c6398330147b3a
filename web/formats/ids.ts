// Ids for names that an asker gives, as the desk assigns them (crates/dialects/src/names.rs).

/** Longest id, in characters. */
const ID_CHARS = 200;

/** Returns for each name the id in its place, if it cannot be one itself: empty, too long, or taken. */
export function assignIds(names: readonly string[], letter: string, first: number): (string | undefined)[] {
  const seen = new Set<string>();
  let number = first;
  return names.map((name, index) => {
    if (name !== "" && [...name].length <= ID_CHARS && !seen.has(name)) {
      seen.add(name);
      return undefined;
    }
    number = Math.max(number, first + index);
    while (names.includes(letter + number)) number += 1;
    return letter + number++;
  });
}

/** Returns options with ids. */
export function assignOptionIds(options: readonly { label: string; value: string }[]): { id: string; label: string; value?: string }[] {
  const ids = assignIds(options.map(({ value }) => value), "o", 1);
  return options.map(({ label, value }, index) => {
    const id = ids[index];
    return id === undefined ? { id: value, label } : { id, label, value };
  });
}
