import type { Row } from "./desk/requests.ts";
import { HookPlan } from "../src/messages.ts";

/** Shelf of the inbox: questions, then plans, then permissions. */
export type Shelf = "questions" | "plans" | "permissions";

/** All shelves, in their order. */
export const SHELVES: readonly Shelf[] = ["questions", "plans", "permissions"];

/** Returns the shelf of an ask. The plan of an agent's host is the context of our own question, and has no act. */
export function shelfOf({ act, title }: Row): Shelf {
  if (act === undefined) return HookPlan.some((words) => title.startsWith(words)) ? "plans" : "questions";
  return act.plan === true ? "plans" : "permissions";
}

/** Sorts what waits: the longest waiting first, permissions by the session that asks; a new one comes last of its own. */
export function sortWaiting(rows: Iterable<Row>): Row[] {
  const byAge = [...rows].sort((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id));
  const groups = new Map<string, Row[]>();
  for (const row of byAge) {
    const shelf = shelfOf(row);
    const name = shelf === "permissions" ? JSON.stringify([row.account, row.asker, row.folder, row.act?.session]) : shelf;
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  const ordered = [...groups.values()];
  return SHELVES.flatMap((shelf) => ordered.filter(([first]) => first && shelfOf(first) === shelf).flat());
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
