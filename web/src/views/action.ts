// The action that would run if a person agrees: whole, as data, apart from the agent's words.
import type { Action } from "../../../schemas/sayso/request.ts";
import { escapeLines } from "../text/display.ts";
import { h } from "../dom.ts";
import type { Sentence, Say } from "../i18n.ts";
import * as messages from "../messages.ts";

/** Makes the view of an action. */
export function createAction({ tool, act }: Action, say: Say): HTMLElement {
  const head = h("h2", { id: "action" }, say([messages.ActionHead, tool]));
  const parts: HTMLElement[] = [];
  const add = (name: Sentence, text: string) => parts.push(h("p", {}, say([name])), exact(text, say([name])));
  const folder = "run" in act ? act.run.folder : "shell" in act ? act.shell.folder : undefined;
  if ("run" in act) add(messages.ActionRun, act.run.argv.map(quoted).join("\n"));
  else if ("shell" in act) add(messages.ActionShell, act.shell.command);
  else if ("write" in act) {
    add(messages.ActionWrite, act.write.path);
    add(messages.ActionContent, act.write.content);
  } else if ("edit" in act) {
    add(messages.ActionEdit, act.edit.path);
    add(messages.ActionDiff, act.edit.diff);
    parts.at(-1)?.replaceChildren(...diffLines(act.edit.diff));
  } else if ("open" in act) add(messages.ActionOpen, act.open.url);
  else add(messages.ActionUnknown, indented(act.call.arguments));
  if (folder !== undefined) add(messages.ActionFolder, folder);
  return h("section", { class: "action", part: "action", "aria-labelledby": "action" }, head, ...parts);
}

function exact(text: string, name: string): HTMLElement {
  return h("pre", { dir: "ltr", "aria-label": name, role: "group" }, escapeLines(text).join("\n"));
}

/** Returns an argument as it is, quoted where its ends would not show. */
function quoted(argument: string): string {
  return argument === "" || /[\s"'\\]/.test(argument) ? JSON.stringify(argument) : argument;
}

/** Indents JSON, unless that would lose something: a member that stands twice, or digits. */
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const isExact = JSON.stringify(value) === text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
    return isExact ? JSON.stringify(value, undefined, 2) : text;
  } catch {
    // What is no JSON shows as it is.
    return text;
  }
}

function diffLines(diff: string): Node[] {
  return escapeLines(diff).map((line) => {
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
    return h("span", { class: kind }, `${line}\n`);
  });
}
