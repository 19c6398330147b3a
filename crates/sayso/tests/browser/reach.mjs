// The element by keyboard alone, in a sandboxed frame, in an outer form, with drafts of other surfaces, with a review.
import assert from "node:assert/strict";
import { runChecks, seen, setUp, shownText, submitted } from "./support/host.mjs";
import { CONSENT, QUESTIONS, REQUEST } from "./support/samples.mjs";

const active = (page) => page.evaluate(() => document.querySelector("sayso-questionnaire").shadowRoot.activeElement?.id ?? "");

async function keyboardAlone(page) {
  await setUp(page, { request: REQUEST });
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "BODY", "an insertion takes no focus");
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  const tabTo = async (prefix) => {
    for (let count = 0; count < 60 && !(await active(page)).startsWith(prefix); count += 1) await press("Tab");
    assert.ok((await active(page)).startsWith(prefix), prefix);
  };
  await tabTo("q0-");
  await press("Space", "ArrowDown");
  await tabTo("q1-");
  await press("Space");
  await tabTo("q2-");
  await press("Space");
  await tabTo("q3-");
  await press("Space", "ArrowRight", "ArrowRight");
  await tabTo("q4");
  await page.keyboard.type("Words");
  await press("Enter");
  assert.equal(await active(page), "q5", "Enter goes on to the next question");
  await page.keyboard.type("One");
  await press("Enter");
  await page.keyboard.type("Two");
  await tabTo("q6");
  await page.keyboard.type("12");
  for (let count = 0; count < 10; count += 1) await press("Escape");
  assert.deepEqual([await seen(page, "sayso-submit"), await seen(page, "sayso-decline")], [[], []], "Escape and Enter send nothing");
  await tabTo("q7");
  await page.keyboard.type("03012026");
  await press("Control+Enter");
  const replies = await submitted(page);
  const answers = Object.fromEntries(Object.entries(replies).map(([id, { answer }]) => [id, Object.values(answer)[0]]));
  assert.deepEqual(answers, { one: [{ option: "B" }], many: [{ option: "D" }], sure: true, rate: 3, text: "Words", long: "One\nTwo", count: 12, day: "2026-03-01" });
}

async function heldEnter(page) {
  await setUp(page, { request: { questions: [{ id: "a", kind: "text", prompt: "A", required: false }, { id: "b", kind: "text", prompt: "B", required: false }] } });
  await page.getByLabel("A", { exact: true }).focus();
  for (let count = 0; count < 25; count += 1) await page.keyboard.down("Enter");
  // It is still down, and repeats, when the focus comes to the button that sends.
  await page.getByRole("button", { name: "Submit" }).focus();
  for (let count = 0; count < 25; count += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  assert.deepEqual(await seen(page, "sayso-submit"), []);
  await page.keyboard.press("Enter");
  assert.equal((await seen(page, "sayso-submit")).length, 1);
}

async function sandboxedFrame(page) {
  const frame = page.frame({ url: /frame/ });
  await frame.waitForFunction(() => customElements.get("sayso-questionnaire") !== undefined);
  await setUp(frame, { request: { questions: QUESTIONS.slice(0, 3) } });
  await frame.getByText("Other").click();
  await frame.getByRole("textbox", { name: "Other" }).fill("mine");
  await frame.getByText("E", { exact: true }).click();
  await frame.getByText("Yes", { exact: true }).click();
  await frame.getByRole("button", { name: "Submit" }).click();
  assert.deepEqual(Object.values(await submitted(frame)).map(({ answer }) => answer), [{ picks: [{ other: "mine" }] }, { picks: [{ option: "E" }] }, { confirm: true }]);
}

async function outerForms(page) {
  await setUp(page, { request: { questions: QUESTIONS.slice(0, 1) } });
  const state = () => page.evaluate(() => {
    const form = document.querySelector("form");
    return [form.checkValidity(), new FormData(form).get("ask")];
  });
  assert.deepEqual(await state(), [false, "{}"]);
  await page.getByText("B", { exact: true }).click();
  const [isValid, value] = await state();
  assert.equal(isValid, true);
  assert.deepEqual(JSON.parse(value), { one: { state: "answered", answer: { picks: [{ option: "B" }] } } });
}

async function outerFormReports(page) {
  const request = { questions: [{ id: "word", kind: "text", prompt: "Which word?" }, QUESTIONS[0]] };
  await setUp(page, { request });
  const focusIsIn = (selector) => page.evaluate((wanted) => document.querySelector("sayso-questionnaire").shadowRoot.activeElement?.matches(wanted) ?? false, selector);
  await page.evaluate(() => document.querySelector("form").checkValidity());
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "BODY", "a check takes no focus");
  await page.getByRole("button", { name: "Send all" }).click();
  await page.getByRole("heading", { name: /2 problems/ }).waitFor();
  assert.equal(await focusIsIn("#summary, .summary h2"), true);
  const answers = { word: { state: "answered", answer: { text: "Aurora" } } };
  await setUp(page, { answers });
  await page.evaluate(() => document.querySelector("form").reset());
  assert.deepEqual(await page.evaluate(() => document.querySelector("sayso-questionnaire").answers), {});
  assert.equal(await page.getByLabel("Which word?").inputValue(), "");
  // A part of a date is no answer, and goes too.
  await setUp(page, { request: { questions: [{ id: "day", kind: "date", prompt: "Which day?" }] } });
  await page.getByLabel("Which day?").pressSequentially("03");
  await page.evaluate(() => document.querySelector("form").reset());
  assert.equal(await page.getByLabel("Which day?").evaluate((input) => input.validity.badInput), false);
  // The browser keeps the form when its page goes, and gives it back before the page sets the request again.
  await setUp(page, { request, answers });
  await page.goto("http://page.test/frame");
  await page.goBack();
  await setUp(page, { request });
  assert.equal(await page.getByLabel("Which word?").inputValue(), "Aurora");
}

async function drafts(page) {
  await setUp(page, { request: { questions: QUESTIONS } });
  const text = page.getByLabel("Describe it");
  await text.fill("half a sent");
  await text.evaluate((input) => input.setSelectionRange(4, 4));
  const typed = await page.evaluate(() => document.querySelector("sayso-questionnaire").answers);
  await setUp(page, { answers: { ...typed, sure: { state: "answered", answer: { confirm: true } } } });
  assert.deepEqual(await text.evaluate((input) => [input.value, input.selectionStart, input.getRootNode().activeElement === input]), ["half a sent", 4, true]);
  assert.equal(await page.getByRole("radio", { name: "Yes" }).isChecked(), true);
  await setUp(page, { request: { questions: QUESTIONS } });
  assert.equal(await text.inputValue(), "half a sent", "an equal request changes nothing");
}

async function review(page) {
  await setUp(page, { review: true, request: { questions: [QUESTIONS[0], { id: "note", kind: "text", prompt: "Why?", required: false }] } });
  await page.getByText("B", { exact: true }).click();
  await page.getByRole("button", { name: "Review answers" }).click();
  assert.match(await shownText(page), /Which one\?\s+B[\s\S]*Why\?\s+Not provided/);
  await page.getByRole("button", { name: /^Change\W+Why/ }).click();
  assert.equal(await active(page), "q1");
  await page.keyboard.type("because");
  await page.getByRole("button", { name: "Review answers" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  assert.deepEqual((await submitted(page)).note, { state: "answered", answer: { text: "because" } });
}

/** Scrolls to a place, and lets the browser draw it. */
const scroll = (page, y) => page.evaluate((to) => new Promise((resolve) => {
  scrollTo(0, to);
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
}), y);

async function longConsent(page) {
  const command = Array.from({ length: 300 }, (_, line) => `echo ${line}`).join("\n");
  const questions = ["first", "second"].map((id) => ({ id, kind: "confirm", prompt: `${id}?` }));
  await setUp(page, { review: true, request: { action: { tool: "Bash", act: { shell: { command } } }, questions } });
  await setUp(page, { answers: { first: { state: "answered", answer: { confirm: true } } } });
  assert.equal(await page.getByRole("radio", { checked: true }).count(), 0, "a yes that was given elsewhere is not preselected");
  await page.locator("[data-id=first]").getByText("Yes", { exact: true }).click();
  await page.locator("[data-id=second]").getByText("No", { exact: true }).click();
  await page.getByRole("button", { name: "Review answers" }).click();
  const submit = page.getByRole("button", { name: "Submit" });
  const [action, button] = [await page.locator("[part=action]").boundingBox(), await submit.boundingBox()];
  assert.ok(action.height > 0 && action.y + action.height <= button.y, "the action is above the button that sends");
  await submit.click();
  assert.equal(await submitted(page), undefined, "lines that a jump passed over are not agreed to in passing");
  const [, left, total] = /^Yes, (\d+) of (\d+) lines not shown$/.exec(await page.locator("[part=agree]").innerText());
  await page.locator("[part=agree]").click();
  const sent = await seen(page, "sayso-submit");
  assert.deepEqual(sent.at(-1).seen, { shown: total - left, total: Number(total) });
  assert.ok(left > 200 && total >= 300, `${left} of ${total}`);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += 600) await scroll(page, y);
  await submit.click();
  const [, { replies, seen: lines }, more] = await seen(page, "sayso-submit");
  assert.deepEqual([replies.first.answer, replies.second.answer, lines, more], [{ confirm: true }, { confirm: false }, undefined, undefined]);
}

async function deskConsent(page) {
  await setUp(page, { request: CONSENT, deskLink: "/a/1" });
  assert.match(await shownText(page), /rm -rf target[\s\S]*answer it at the desk/);
  assert.equal(await page.getByRole("button", { name: "Submit" }).count(), 0);
  assert.equal(await page.getByRole("link").getAttribute("href"), "/a/1");
  await setUp(page, { deskLink: "javascript:alert(1)" });
  assert.equal(await page.getByRole("link").count(), 0);
}

const inFrame = { body: `<main><iframe title="An ask" sandbox="allow-scripts" src="/frame"></iframe></main>` };
await runChecks([
  ["keyboard alone", {}, keyboardAlone],
  ["a held Enter", {}, heldEnter],
  ["a sandboxed frame", inFrame, sandboxedFrame],
  ["an outer form", { body: `<main><form><sayso-questionnaire name="ask"></sayso-questionnaire></form></main>` }, outerForms],
  ["what an outer form reports", { body: `<main><form action="/"><sayso-questionnaire name="ask"></sayso-questionnaire><button>Send all</button></form></main>` }, outerFormReports],
  ["drafts of other surfaces", {}, drafts],
  ["review", {}, review],
  ["a long consent", {}, longConsent],
  ["consent at the desk", {}, deskConsent],
]);
