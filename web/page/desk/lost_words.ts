import type { Reply } from "./requests.ts";

/** Returns the texts that a person typed into a reply. */
export function typedWords(reply: Reply | undefined): string[] {
  const answer = (reply?.answer ?? {}) as { text?: string; picks?: { other?: string }[] };
  const others = (answer.picks ?? []).map(({ other }) => other);
  return [answer.text, ...others, reply?.aside, reply?.note].filter((text): text is string => Boolean(text?.trim()));
}

/** Returns the texts of one reply that another one does not hold, neither whole nor as the beginning of a longer one. */
export function lostWords(mine: Reply | undefined, theirs: Reply | undefined): string[] {
  const kept = typedWords(theirs);
  return typedWords(mine).filter((text) => !kept.some((longer) => longer.startsWith(text.trimEnd())));
}
