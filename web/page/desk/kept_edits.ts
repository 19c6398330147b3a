import type { Conflict } from "./draft_sync.ts";
import { isLost } from "./lost_words.ts";
import { type Replies } from "./requests.ts";
import { EDITS, read, readEditsKey, write } from "./session.ts";

/** Edits of an ask that the desk does not have, with the replies that it had when they were made. */
export interface KeptEdits {
  replies: Replies;
  base: Replies;
  /** Answers of someone else that the person has not decided on. */
  conflicts: Conflict[];
  /** Time of the last edit in milliseconds. */
  at: number;
}

/** Record of one tab: the words are encrypted, and the id of an ask is none. */
interface StoredEdits {
  ask: string;
  /** Questions with words of this person that the desk does not have. */
  count: number;
  /** Edits that were not sent. */
  unsent: number;
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

/** Two tabs keep their edits beside each other. */
const TAB = crypto.randomUUID();

const ownName = (ask: string) => `${ask} ${TAB}`;

/** Keeps the edits of this tab; none removes what it kept. Fails in a browser without storage. */
export function keepEdits(ask: string, edits: KeptEdits): Promise<void> {
  return replaceEdits(ask, edits, ownName(ask));
}

/** Replaces records of an ask by the edits of this tab, all at once: a tab may be closed at any time. */
async function replaceEdits(ask: string, edits: KeptEdits, replaced: string | IDBKeyRange): Promise<void> {
  const stored = await encrypt(ask, edits);
  await write(EDITS, (store) => {
    store.delete(replaced);
    if (stored) store.put(stored, ownName(ask));
  });
}

async function encrypt(ask: string, edits: KeptEdits): Promise<StoredEdits | undefined> {
  const { replies, conflicts } = edits;
  if (Object.keys(replies).length + conflicts.length === 0) return undefined;
  const key = await readEditsKey();
  if (key === undefined) throw new Error("no key");
  const replaced = conflicts.filter(({ shown }) => shown === "theirs").map(({ question }) => question);
  const count = new Set([...Object.keys(replies), ...replaced]).size;
  const unsent = Object.keys(replies).length;
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const words = new TextEncoder().encode(JSON.stringify(edits));
  return { ask, count, unsent, iv, data: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, words) };
}

/** Takes over the edits that any tab of this browser kept of an ask: the last one of a question counts, and is beside the other. */
export async function takeEdits(ask: string): Promise<KeptEdits> {
  const edits: KeptEdits = { replies: {}, base: {}, conflicts: [], at: 0 };
  const found = await recordsOf(ask);
  const key = found.length > 0 ? await readEditsKey() : undefined;
  const tabs = (await Promise.all(found.map((record) => decrypt(record, key)))).filter((tab) => tab !== undefined);
  for (const { replies, base, conflicts, at } of tabs.sort((one, other) => one.at - other.at)) {
    for (const [question, mine] of Object.entries(replies)) {
      const theirs = edits.replies[question];
      if (theirs && isLost(theirs, mine)) edits.conflicts.push({ question, mine, theirs, shown: "mine" });
    }
    edits.conflicts.push(...conflicts);
    Object.assign(edits.replies, replies);
    Object.assign(edits.base, base);
    edits.at = at;
  }
  if (found.length > 0) await replaceEdits(ask, edits, rangeOf(ask));
  return edits;
}

/** Opens a record; those of an earlier session are sealed for good. */
async function decrypt({ iv, data }: StoredEdits, key: CryptoKey | undefined): Promise<KeptEdits | undefined> {
  const words = key && await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, data).catch(() => undefined);
  // Records of an older page have neither conflicts nor a time.
  return words && { conflicts: [], at: 0, ...JSON.parse(new TextDecoder().decode(words)) } as KeptEdits;
}

/** Forgets the edits of an ask. */
export function dropEdits(ask: string): Promise<void> {
  return write(EDITS, (store) => void store.delete(rangeOf(ask)));
}

/** Returns the asks with edits that were not sent. */
export async function unsentAsks(): Promise<Set<string>> {
  return new Set((await recordsOf("")).filter(({ unsent }) => unsent !== 0).map(({ ask }) => ask));
}

/** Returns how many edits are kept, by ask. */
export async function countEdits(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { ask, count } of await recordsOf("")) if (count > 0) counts.set(ask, (counts.get(ask) ?? 0) + count);
  return counts;
}

function recordsOf(ask: string): Promise<StoredEdits[]> {
  return read<StoredEdits[]>(EDITS, (store) => store.getAll(ask ? rangeOf(ask) : null)).catch(() => []);
}

function rangeOf(ask: string): IDBKeyRange {
  return IDBKeyRange.bound(`${ask} `, `${ask} ~`);
}
