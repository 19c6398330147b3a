import { button, h } from "../src/dom.ts";
import { say } from "./words.ts";

/** Actions of single keys. None of them sends anything. */
export interface KeyActions {
  step(by: 1 | -1): void;
  filter(): void;
  mark(yes: boolean): void;
}

/** Name under which a browser remembers that single keys are off. */
const SETTING = "sayso-keys";

/** Keys and what they do, as the help shows them. */
const HELP: readonly [keys: string, words: string][] = [
  ["j k", "PageKeysStep"],
  ["Enter", "PageKeysOpen"],
  ["y n", "PageKeysMark"],
  ["/", "PageKeysFilter"],
  ["?", "PageKeysHelp"],
];

/** Runs the actions of single keys, unless the person is typing or has switched them off. */
export function listenForKeys(actions: KeyActions): void {
  document.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || event.defaultPrevented;
    if (isOther || isTyping(target) || document.querySelector("dialog[open]")) return;
    if (event.key !== "?" && localStorage.getItem(SETTING) === "off") return;
    const run: Record<string, () => void> = {
      j: () => actions.step(1),
      k: () => actions.step(-1),
      y: () => actions.mark(true),
      n: () => actions.mark(false),
      "/": () => actions.filter(),
      "?": showKeys,
    };
    const action = Object.hasOwn(run, event.key) ? run[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
  // WebKit scrolls to the line of the caret alone, and the field stays half hidden.
  document.addEventListener("keyup", (event) => {
    const [target] = event.composedPath();
    if (event.key === "Tab" && target instanceof HTMLElement) target.scrollIntoView({ block: "nearest" });
  });
}

function isTyping(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["radio", "checkbox"].includes(target.type);
  return target.matches("textarea, select, [contenteditable]");
}

/** Shows the keys, with the switch that turns single ones off. */
export function showKeys(): void {
  const heading = h("h2", { id: "keys-title" }, say("PageKeysTitle"));
  const rows = HELP.map(([keys, words]) => {
    const caps = keys.split(" ").flatMap((key) => [h("kbd", {}, key), " "]);
    return h("div", {}, h("dt", {}, ...caps), h("dd", {}, say(words)));
  });
  const on = h("input", { type: "checkbox", id: "keys-on" });
  on.checked = localStorage.getItem(SETTING) !== "off";
  on.addEventListener("change", () => localStorage.setItem(SETTING, on.checked ? "on" : "off"));
  const dialog = h("dialog", { class: "dialog keys", "aria-labelledby": heading.id });
  const close = button(say("PageKeysClose"), { class: "primary" }, () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(heading, h("dl", {}, ...rows), h("label", {}, on, " ", say("PageKeysOn")), h("p", { class: "actions" }, close));
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}
