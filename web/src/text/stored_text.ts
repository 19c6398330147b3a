// Texts that are stored in one language and shown in the reader's: `i18n/own_prompt` and `i18n/task_name` of core do the same.
import type { Say, Sentence } from "../i18n.ts";
import * as messages from "../messages.ts";

/** Names that the interrupt specification gives its tasks in Chinese, alone or as a question. */
const NAMES: Sentence[] = [messages.TaskExecute, messages.TaskWrite, messages.TaskAsk];

/** Beginnings of the specification's sentences; the asker's words follow. */
const BEGINNINGS: Sentence[] = [messages.TaskExecuting, messages.TaskWriting];

/** Returns a title, a context or a prompt as its reader sees it. */
export function localizeText(text: string, say: Say): string {
  const own = [messages.AllowAction, messages.HookPlan].find((sentence) => sentence.includes(text));
  if (own !== undefined) return say(own);
  for (const sentence of [messages.HookPermission, messages.HookPlanNamed]) {
    for (const template of sentence) {
      const [before = "", after = ""] = template.split("{0:foreign}");
      const words = text.slice(before.length, -after.length);
      if (before + words + after === text && !/["“”\n]/.test(words)) return say([sentence, words]);
    }
  }
  const name = text.replace(/\?$/, "");
  const task = NAMES.find(([, chinese]) => chinese === name);
  if (task !== undefined) return say(task) + text.slice(name.length);
  const begun = BEGINNINGS.find(([, chinese]) => text.startsWith(chinese));
  return begun === undefined ? text : say(begun) + text.slice(begun[1].length);
}
