// Every kind of question and every type of field, answered with a mouse, with the keyboard alone, and with a finger.
// Usage: ways.mjs [all]; without `all`, some of them in one way.
import assert from "node:assert/strict";
import { FIELDS, FIELD_INPUT, FIELD_STEPS, KINDS, KIND_ANSWERS, KIND_STEPS } from "./support/every.mjs";
import { HANDS, smallTargets } from "./support/hands.mjs";
import { runChecks, seen, setUp, submitted } from "./support/host.mjs";

const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true };
const LAPTOP = { width: 1280, height: 800 };

function everyKind(hand) {
  return async (page) => {
    await setUp(page, { request: KINDS });
    await HANDS[hand].answer(page, KIND_STEPS);
    assert.deepEqual(await smallTargets(page, hand === "touch" ? 44 : 24), []);
    assert.deepEqual(await seen(page, "sayso-submit"), [], "answering sends nothing");
    await HANDS[hand].press(page, "Submit");
    const replies = await submitted(page);
    assert.deepEqual(Object.fromEntries(Object.entries(replies ?? {}).map(([id, { answer }]) => [id, answer])), KIND_ANSWERS);
  };
}

function everyField(hand) {
  return async (page) => {
    const convert = (name, ...given) => page.evaluate(async ([called, args]) => (await import("/interaction.js"))[called](...args), [name, given]);
    const request = await convert("toSayso", FIELDS);
    await setUp(page, { request });
    await HANDS[hand].answer(page, FIELD_STEPS);
    assert.deepEqual(await smallTargets(page, hand === "touch" ? 44 : 24), []);
    await HANDS[hand].press(page, "Submit");
    assert.deepEqual(await convert("toInput", request, await submitted(page)), FIELD_INPUT);
  };
}

/** What else can be pressed: the small buttons, the summary of problems, the steps, declining. */
async function otherTargets(page) {
  const options = [{ id: "a", label: "A", preview: "a" }, "B"];
  await setUp(page, { review: true, request: { context: "[a book](https://example.com/book)", sections: [
    { id: "s", title: "S", optional: true, questions: [{ id: "x", prompt: "X?", options, other: true }] },
    { id: "t", title: "T", questions: [{ id: "y", kind: "text", prompt: "Y?" }] },
  ] } });
  await page.getByText("A", { exact: true }).tap();
  await page.getByText("Preview").first().tap();
  await page.getByRole("button", { name: "Add a note" }).tap();
  assert.deepEqual(await smallTargets(page, 44), []);
  await page.getByRole("button", { name: "Continue" }).tap();
  await page.getByRole("button", { name: "Review answers" }).tap();
  await page.getByRole("button", { name: /^Y\? / }).waitFor();
  assert.deepEqual(await smallTargets(page, 44), [], "with problems");
  await page.getByRole("button", { name: /^Y\? / }).tap();
  await page.keyboard.type("y");
  await page.getByRole("button", { name: "Review answers" }).tap();
  await page.getByRole("button", { name: "Change" }).first().waitFor();
  await page.getByRole("button", { name: "Decline…" }).tap();
  assert.deepEqual(await smallTargets(page, 44), [], "with the review");
}

const isWhole = process.argv[2] === "all";
const checks = [
  ["every kind with a mouse", { context: LAPTOP }, everyKind("mouse")],
  ["every kind by keyboard", { context: LAPTOP }, everyKind("keyboard")],
  ["every kind with a finger", { context: PHONE }, everyKind("touch")],
  ["every type with a mouse", { context: LAPTOP }, everyField("mouse")],
  ["every type by keyboard", { context: LAPTOP }, everyField("keyboard")],
  ["every type with a finger", { context: PHONE }, everyField("touch")],
  ["other targets", { context: PHONE }, otherTargets],
];
await runChecks(checks.filter((_, index) => isWhole || index % 3 === 0));
