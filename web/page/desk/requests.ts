import type { Questionnaire, Replies, Reply } from "../../src/api.ts";
import { fetchWithProof, forgetKey } from "./session.ts";

export type { Replies, Reply } from "../../src/api.ts";

/** Problem as the desk reports it. */
export interface DeskProblem {
  code: string;
  detail: string;
  hint?: string;
  path?: (string | number)[];
  causes?: DeskProblem[];
}

/** Row of the inbox. */
export interface Row {
  id: string;
  state: string;
  title: string;
  act?: { plan?: boolean; session?: string };
  /** What it asks permission for, escaped: our verb, and the beginning of the exact data. */
  act_phrase?: string;
  /** Of an answered request for consent: every yes was given. */
  approved?: boolean;
  asker: string;
  account?: string;
  program?: string;
  folder?: string;
  questions: number;
  asked: number;
  answered: number;
  drafted: boolean;
  seen: boolean;
  delivered: boolean;
  created_at: string;
  changed_at: string;
  deadline?: string;
  attached: boolean;
  damaged?: boolean;
}

/** Page of the inbox. */
export interface RowPage {
  asks: Row[];
  next?: string;
}

/** Receipt of an answer. */
export interface Receipt {
  by: string;
  surface: string;
  assurance: string;
  at: string;
  shown: string;
  /** Lines that were drawn of what was approved, unless all were. */
  seen?: { shown: number; total: number };
}

/** Ask with its state. */
export interface Ask {
  id: string;
  digest: string;
  dialect: string;
  state: string;
  judged?: boolean;
  created_at: string;
  deadline?: string;
  asker: { name: string; folder?: string; account?: string };
  program?: string;
  questionnaire: Questionnaire;
  phase: Phase;
  delivery?: unknown;
  presence: Record<string, unknown>;
  late?: unknown[];
}

/** State of an ask, with its outcome once it has ended. */
export interface Phase {
  open?: { round: number; feedback?: { summary?: string; errors?: [string, string][] }; refused?: { replies: Replies } };
  submitted?: { round: number; submission: { replies: Replies } };
  settled?: { outcome: string; replies?: Replies; receipt?: Receipt; reason?: string; at?: string };
}

/** Draft of an ask. */
export interface Draft {
  rev: number;
  replies: Replies;
  scripted?: string[];
}

/** Row of a review: a question and its answer in words. */
export interface ReviewRow {
  question: string;
  number?: number;
  prompt: string;
  state: Reply["state"];
  answer?: string;
  sends?: string;
  note?: string;
  prefilled?: boolean;
  because?: string;
}

/** What would be sent, or was sent. */
export interface Review {
  rev: number;
  ready: boolean;
  rows: ReviewRow[];
  unsent: ReviewRow[];
  /** The note on the whole form. */
  note?: string;
  /** The asker's format has a place for notes. */
  carries_notes: boolean;
  problems: DeskProblem[];
}

/** Refusal by the desk. */
export class Refusal extends Error {
  readonly status: number;
  readonly problem: DeskProblem;

  constructor(status: number, problem: DeskProblem) {
    // The hint of a problem is for callers of the API.
    super(problem.detail);
    this.status = status;
    this.problem = problem;
  }
}

/** Sends a request to the desk; throws {@link Refusal}, or a TypeError if the desk cannot be reached. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  more: { headers?: Record<string, string>; keepalive?: boolean } = {},
): Promise<T> {
  const headers: Record<string, string> = {
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    "accept-language": document.documentElement.lang,
    ...more.headers,
  };
  const init = { method, headers, keepalive: more.keepalive ?? false };
  const reply = await fetchWithProof(path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  if (reply.status === 401) forgetKey();
  if (reply.status === 204) return undefined as T;
  if (!reply.ok) {
    const fallback: DeskProblem = { code: "unreadable", detail: reply.statusText || String(reply.status) };
    throw new Refusal(reply.status, await reply.json().catch(() => fallback) as DeskProblem);
  }
  return await reply.json() as T;
}

/** Returns the path of an ask's resource. */
export function askPath(id: string, more = ""): string {
  return `/v1/asks/${encodeURIComponent(id)}${more}`;
}
