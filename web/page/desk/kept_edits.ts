import { type Replies } from "./requests.ts";
import { EDITS, read, readEditsKey, write } from "./session.ts";

/** Edits of an ask that the desk does not have, with the replies that it had when they were made. */
export interface KeptEdits {
  replies: Replies;
  base: Replies;
}

/** Record of one tab: the words are encrypted, and the id of an ask is none. */
interface StoredEdits {
  ask: string;
  count: number;
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

/** Two tabs keep their edits beside each other. */
const TAB = crypto.randomUUID();

const ownName = (ask: string) => `${ask} ${TAB}`;

/** Keeps the edits of this tab; none removes what it kept. A browser without storage keeps nothing. */
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
  const key = await readEditsKey();
  const count = Object.keys(edits.replies).length;
  if (key === undefined || count === 0) return undefined;
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const words = new TextEncoder().encode(JSON.stringify(edits));
  return { ask, count, iv, data: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, words) };
}

/** Takes over the edits that any tab of this browser kept of an ask. */
export async function takeEdits(ask: string): Promise<KeptEdits> {
  const edits: KeptEdits = { replies: {}, base: {} };
  const found = await recordsOf(ask);
  const key = found.length > 0 ? await readEditsKey() : undefined;
  for (const { iv, data } of found) {
    // Edits of an earlier session are sealed for good.
    const words = key && await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, data).catch(() => undefined);
    const more: KeptEdits = words ? JSON.parse(new TextDecoder().decode(words)) as KeptEdits : { replies: {}, base: {} };
    Object.assign(edits.replies, more.replies);
    Object.assign(edits.base, more.base);
  }
  if (found.length > 0) await replaceEdits(ask, edits, rangeOf(ask));
  return edits;
}

/** Forgets the edits of an ask. */
export function dropEdits(ask: string): Promise<void> {
  return write(EDITS, (store) => void store.delete(rangeOf(ask)));
}

/** Returns how many edits are kept, by ask. */
export async function countEdits(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { ask, count } of await recordsOf("")) counts.set(ask, (counts.get(ask) ?? 0) + count);
  return counts;
}

function recordsOf(ask: string): Promise<StoredEdits[]> {
  return read<StoredEdits[]>(EDITS, (store) => store.getAll(ask ? rangeOf(ask) : null)).catch(() => []);
}

function rangeOf(ask: string): IDBKeyRange {
  return IDBKeyRange.bound(`${ask} `, `${ask} ~`);
}
