// Every screen of the element: each kind of question, problems, steps, review, and each end.
import { KINDS } from "./every.mjs";
import { setUp } from "./host.mjs";
import { CONSENT, REQUEST, STEPS } from "./samples.mjs";

/** Their number. */
export const SCREENS = KINDS.questions.length + 16;

/** Shows each screen in turn, and gives its name. */
export async function* screens(page) {
  const press = () => page.locator(".foot .primary").click();
  const replies = { one: { state: "answered", answer: { picks: [{ option: "A" }] }, note: "A note" } };
  const answered = { completed: { outcome: "answered", replies } };
  for (const { id, ...question } of KINDS.questions) {
    await setUp(page, { request: { questions: [{ id, ...question, detail: "In *detail*." }] } });
    yield `question ${id}`;
  }
  await setUp(page, { request: REQUEST });
  yield "questions";
  await press();
  yield "problems";
  await setUp(page, { busy: true });
  yield "busy";
  await setUp(page, { busy: false, disabled: true });
  yield "read-only";
  await setUp(page, { disabled: false, request: CONSENT });
  yield "consent";
  await setUp(page, { deskLink: "/a/1" });
  yield "consent at the desk";
  await setUp(page, { deskLink: "", request: STEPS });
  yield "steps";
  const follow = { id: "f", kind: "text", prompt: "Why?", show_if: { is: "A" } };
  const options = [{ id: "A", label: "A", description: "The first", recommended: true, preview: "a" }, { id: "B", label: "A" }];
  await setUp(page, { review: true, request: { context: "# Head\n\n- an item\n- [a book](https://example.com)\n\n> quoted\n\n```\ncode\n```\n\n---\n", questions: [{ id: "a", prompt: "A?", options, children: [follow] }, { id: "b", kind: "text", prompt: "B?", prefill: { text: "b" } }] } });
  await page.locator("label").first().click();
  await page.locator("[data-id=a] .tools button").nth(1).click();
  yield "follow-ups and a note";
  await page.locator("[data-id=a] .notes textarea").fill("because");
  await page.locator("[data-id=f] input").fill("because");
  await press();
  await page.locator(".review").waitFor();
  yield "review";
  await page.locator("button.quiet").click();
  yield "declining";
  await setUp(page, { review: false, request: REQUEST, ...answered });
  yield "answered";
  for (const confirm of [true, false]) {
    await setUp(page, { request: CONSENT, completed: { outcome: "answered", replies: { go: { state: "answered", answer: { confirm } } } } });
    yield confirm ? "approved" : "denied";
  }
  for (const outcome of ["declined", "cancelled", "expired"]) {
    await setUp(page, { completed: { outcome, reason: "No time" } });
    yield outcome;
  }
}
