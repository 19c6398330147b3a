// The action that would run if a person agrees: whole, as data, apart from the agent's words.
import type { Action } from "../../../schemas/sayso/request.ts";
import { exactLines, quoteArgument } from "../text/exact.ts";
import { isPlainName } from "../text/display.ts";
import { h } from "../dom.ts";
import type { Sentence, Say } from "../i18n.ts";
import * as messages from "../messages.ts";

/** Makes the view of an action. */
export function createAction({ tool, act }: Action, say: Say): HTMLElement {
  const isPlain = isPlainName(tool);
  const head = h("h2", { id: "action" }, say(isPlain ? [messages.ActionHead, tool] : messages.ActionHeadUnnamed));
  const parts: HTMLElement[] = [];
  const addExact = (name: Sentence, text: string) => {
    const lines = exactLines(text, say);
    const shown = name === messages.ActionDiff
      ? lines.map((line) => h("span", { class: changeOf(line) }, ...isolate(`${line}\n`)))
      : isolate(lines.join("\n"));
    parts.push(h("pre", { dir: "ltr", "aria-label": say(name), role: "group" }, ...shown));
  };
  const add = (name: Sentence, text: string) => {
    parts.push(h("p", {}, say(name)));
    addExact(name, text);
  };
  const addOutside = (folder: string | undefined) => {
    if (folder !== undefined) add(messages.ActionOutside, folder);
  };
  if (!isPlain) addExact(messages.ActionHeadUnnamed, tool);
  const folder = "run" in act ? act.run.folder : "shell" in act ? act.shell.folder : undefined;
  if ("run" in act) add(messages.ActionRun, act.run.argv.map(quoteArgument).join("\n"));
  else if ("shell" in act) add(messages.ActionShell, act.shell.command);
  else if ("write" in act) {
    add(act.write.overwrites === true ? messages.ActionOverwrite : messages.ActionWrite, act.write.path);
    addOutside(act.write.outside);
    add(messages.ActionContent, act.write.content);
  } else if ("edit" in act) {
    add(messages.ActionEdit, act.edit.path);
    addOutside(act.edit.outside);
    add(messages.ActionDiff, act.edit.diff);
  } else if ("open" in act) add(messages.ActionOpen, act.open.url);
  else add(messages.ActionUnknown, indented(act.call.arguments));
  if (folder !== undefined) add(messages.ActionFolder, folder);
  return h("section", { class: "action", part: "action", "aria-labelledby": "action" }, head, ...parts);
}

/** Returns lines in which letters written from right to left reorder nothing around them. */
function isolate(line: string): (Node | string)[] {
  const parts = line.split(/([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)/u);
  return parts.map((part, at) => (at % 2 === 0 ? part : h("bdi", {}, part)));
}

function changeOf(line: string): string {
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
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
