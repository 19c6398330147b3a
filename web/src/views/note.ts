// A note to the agent: a box behind the button that opens it.
import { button, h } from "../dom.ts";

/** The words and the ids of a note. */
export interface NoteOptions {
  id: string;
  /** Words of the button. */
  add: string;
  /** Words above the box. */
  label: string;
  /** Id of what the note is on. */
  labelledBy?: string;
  change(note: string): void;
}

/** A note on the screen. */
export interface NoteBox {
  root: HTMLElement;
  opener: HTMLButtonElement;
  show(note: string, locked: boolean): void;
  open(): void;
}

/** Makes a note. */
export function createNote({ id, add, label, labelledBy, change }: NoteOptions): NoteBox {
  const describedBy = labelledBy === undefined ? {} : { "aria-describedby": labelledBy };
  const box = h("textarea", { rows: 2, id, part: "input", dir: "auto", ...describedBy });
  box.addEventListener("input", () => change(box.value));
  const root = h("div", { class: "notes", hidden: true }, h("label", { for: id }, label), box);
  const open = () => {
    root.hidden = false;
    opener.hidden = true;
    box.focus();
  };
  const opener = button(add, { class: "small", part: "note", ...describedBy }, open);
  return {
    root,
    opener,
    open,
    show(note, locked) {
      if (box.value !== note) box.value = note;
      box.readOnly = locked;
      if (note !== "") root.hidden = false;
      opener.hidden = locked || !root.hidden;
    },
  };
}
