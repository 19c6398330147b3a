// The state of the element, and how each event changes it.
import type { Reply } from "../../schemas/sayso/outcome.ts";
import type { Problem } from "./api.ts";
import { FORM, type Form } from "./form.ts";
import type { Input } from "./rules/sheet.ts";

/** Everything that the element knows of one request. */
export interface State extends Input {
  /** Problems that the desk or the asker found, by question. */
  told: ReadonlyMap<string, string>;
  /** Problems without a question in the form. */
  notices: readonly string[];
  /** Questions whose own problems show. */
  judged: ReadonlySet<string>;
  /** The section shown, or the review behind the last. */
  step: number;
  /** Submit or Next was refused: the summary lists what is wrong. */
  refused: boolean;
}

/** What happens to the state. */
export type Action =
  | { type: "reply"; id: string; reply: Reply; unreadable: boolean }
  | { type: "replies"; replies: ReadonlyMap<string, Reply> }
  | { type: "problems"; problems: readonly Problem[] }
  | { type: "judge"; ids: readonly string[]; refused: boolean }
  | { type: "step"; step: number }
  | { type: "skip"; section: number };

/** Returns the state of a new form. */
export function initialState(form: Form): State {
  return {
    form,
    replies: new Map(),
    unreadable: new Set(),
    skipped: new Set(),
    told: new Map(),
    notices: [],
    judged: new Set(),
    step: 0,
    refused: false,
  };
}

/** Returns the state after an action. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "reply": return withReply(state, action.id, action.reply, action.unreadable);
    case "replies": return { ...state, replies: action.replies, unreadable: new Set(), skipped: new Set() };
    case "problems": return withProblems(state, action.problems);
    case "judge": return { ...state, judged: new Set([...state.judged, ...action.ids]), refused: action.refused };
    case "step": return { ...state, step: action.step, refused: false };
    case "skip": return { ...state, skipped: new Set([...state.skipped, action.section]) };
  }
}

function withReply(state: State, id: string, reply: Reply, isUnreadable: boolean): State {
  const told = new Map(state.told);
  told.delete(id);
  const unreadable = new Set(state.unreadable);
  if (isUnreadable) unreadable.add(id);
  else unreadable.delete(id);
  const skipped = new Set(state.skipped);
  const section = state.form.byId.get(id)?.section;
  if (section !== undefined) skipped.delete(section);
  return { ...state, replies: new Map(state.replies).set(id, reply), unreadable, told, skipped };
}

function withProblems(state: State, problems: readonly Problem[]): State {
  const told = new Map<string, string>();
  const notices: string[] = [];
  for (const { path, detail } of problems) {
    const id = path?.[0] === "answers" ? String(path[1]) : undefined;
    if (id !== undefined && state.form.byId.has(id)) {
      if (!told.has(id)) told.set(id, detail);
    } else {
      notices.push(id === undefined || id === FORM ? detail : `${id}: ${detail}`);
    }
  }
  return { ...state, told, notices };
}
