import type { Answer } from "../../../schemas/sayso/request.ts";
import { shortTime } from "../../src/text/describe.ts";
import type { Reply } from "./requests.ts";

/** Returns whether two replies are the same. */
export const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

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

/** Returns whether a reply has words or an answer that another one does not hold. */
export function isLost(mine: Reply | undefined, theirs: Reply | undefined): boolean {
  return lostWords(mine, theirs).length > 0 || isReplaced(mine?.answer, theirs?.answer);
}

/** Returns whether an answer was replaced. Words are compared as words, and a list that has more options holds the first. */
function isReplaced(mine: Answer | undefined, theirs: Answer | undefined): boolean {
  if (mine === undefined || "text" in mine) return false;
  // The desk writes the seconds of a time.
  if (!("picks" in mine)) return shortTime(JSON.stringify(mine)) !== shortTime(JSON.stringify(theirs ?? null));
  const picks = theirs !== undefined && "picks" in theirs ? theirs.picks : [];
  return mine.picks.some((pick) => "option" in pick && !picks.some((other) => isSame(pick, other)));
}
