// Runs the element's rules and its escaping on the cases that test the desk's. Prints what differs, one line a case.
// Usage: rules.mjs
import { readFileSync } from "node:fs";
import { bundle, root } from "./support/bundle.mjs";

const { prepareForm, sheetOf, messages, escapeLine, exactLines, quoteArgument, speaker } = await bundle(`
  export { prepareForm } from "./web/src/form.ts";
  export { sheetOf } from "./web/src/rules/sheet.ts";
  export * as messages from "./web/src/messages.ts";
  export { escapeLine } from "./web/src/text/display.ts";
  export { exactLines, quoteArgument } from "./web/src/text/exact.ts";
  export { speaker } from "./web/src/i18n.ts";
`);
const read = (name) => JSON.parse(readFileSync(`${root}/crates/core/tests/vectors/${name}.json`, "utf8"));
const names = new Map(Object.entries(messages).map(([name, sentence]) => [sentence, name]));
/** Names a message of the catalogue; the asker's words stay as they are. */
const named = (message) => {
  if (message === undefined || typeof message === "string") return message;
  const [first, ...args] = message;
  return names.has(message) ? [names.get(message)] : [names.get(first), ...args.map(String)];
};
let count = 0;
const expect = (name, found, wanted) => {
  count += 1;
  if (JSON.stringify(found) !== JSON.stringify(wanted)) console.log(`${name}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
};

for (const { name, request, replies, problems, asked, whole } of read("sheets")) {
  const form = prepareForm(request);
  const sheet = sheetOf({ form, replies: new Map(Object.entries(replies)), unreadable: new Set(), skipped: new Set() });
  const active = form.questions.filter((question) => sheet.isAsked(question));
  if (asked !== undefined) expect(name, active.map(({ id }) => id), asked);
  const found = active.map((question) => [question.id, sheet.problem(question)]).filter(([, problem]) => problem !== undefined);
  expect(name, Object.fromEntries(found.map(([id, problem]) => [id, problems[id] === "*" ? "*" : named(problem)])), problems);
  const needed = found.length === 0 ? sheet.wholeProblem() : undefined;
  expect(name, named(needed), whole);
}
for (const { name, action, questions, consent, shown = {} } of read("consent")) {
  const form = prepareForm({ questions, ...(action === undefined ? {} : { action }) });
  expect(name, form.questions.filter((question) => question.consent).map(({ id }) => id), consent);
  const values = form.questions.filter((question) => question.values.size > 0);
  expect(name, Object.fromEntries(values.map((question) => [question.id, Object.fromEntries(question.values)])), shown);
}
for (const { text, shown } of read("display")) expect(JSON.stringify(text), escapeLine(text), shown);
for (const { text, lines, argument, line } of read("exact")) {
  expect(JSON.stringify(text ?? argument), exactLines(text ?? quoteArgument(argument), speaker("en")), lines ?? [line]);
}
console.log(`${count} compared`);
