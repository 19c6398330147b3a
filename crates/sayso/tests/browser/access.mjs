// The element with assistive technology, on small and on right-to-left screens.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { root } from "./bundle.mjs";
import { runChecks, setUp } from "./host.mjs";
import { CONSENT, QUESTIONS, REQUEST, STEPS } from "./samples.mjs";

/** What assistive technology reads, kept in `aria.txt`. */
async function accessibilityTree(page) {
  const [one, many, sure, rate, text] = QUESTIONS;
  const options = [{ id: "A", label: "A", description: "The first", recommended: true }, { id: "B", label: "B", preview: "b" }];
  await setUp(page, { request: { ...CONSENT, context: "Why it is *asked*.", questions: [{ ...one, options }, many, sure, rate, { ...text, required: false }] } });
  await page.getByRole("button", { name: "Submit" }).click();
  const read = await page.locator("sayso-questionnaire").ariaSnapshot();
  assert.equal(`${read}\n`, readFileSync(`${import.meta.dirname}/aria.txt`, "utf8"));
}

/** Fails with what axe finds. */
async function audit(page, what) {
  const { violations } = await page.evaluate(() => window.axe.run(document));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`), [], what);
}

async function assistiveTechnology(page) {
  await page.evaluate(readFileSync(`${root}/node_modules/axe-core/axe.min.js`, "utf8"));
  const replies = { one: { state: "answered", answer: { picks: [{ option: "A" }] } } };
  const screens = [
    ["questions", { request: REQUEST }], ["consent", { request: CONSENT }], ["steps", { request: STEPS, lang: "zh" }],
    ["disabled", { request: REQUEST, disabled: true, lang: "en" }], ["completed", { disabled: false, completed: { outcome: "answered", replies } }],
  ];
  for (const [what, properties] of screens) {
    await setUp(page, properties);
    await audit(page, what);
  }
  await setUp(page, { request: { ...REQUEST, title: "Again" } });
  await page.getByRole("button", { name: "Submit" }).click();
  await audit(page, "problems");
}

async function smallScreens(page) {
  await setUp(page, { request: { ...REQUEST, title: "A".repeat(200), questions: [...QUESTIONS, { id: "f", prompt: "x".repeat(300), options: ["y".repeat(300), "z"] }] } });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok((await width()) <= 320, String(await width()));
  await setUp(page, { request: STEPS });
  assert.ok((await width()) <= 320);
  const small = await page.locator("button, label, input:not([type=radio], [type=checkbox])").evaluateAll((all) => all
    .filter((one) => one.checkVisibility() && !one.matches(".small")).map((one) => one.getBoundingClientRect().height).filter((height) => height < 36));
  assert.deepEqual(small, [], "targets for a finger");
}

async function rightToLeft(page) {
  await setUp(page, { request: { ...REQUEST, title: "طلب", questions: [{ id: "a", prompt: "أي واحد؟", options: ["نعم", "English"] }] } });
  const sides = await page.locator("label").first().evaluate((label) => {
    const [input, words] = [label.querySelector("input"), label.querySelector(".words")].map((one) => one.getBoundingClientRect());
    return input.left > words.left;
  });
  assert.equal(sides, true);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}

await runChecks([
  ["assistive technology, light", { policy: "script-src 'self' 'unsafe-eval'" }, assistiveTechnology],
  ["assistive technology, dark", { policy: "script-src 'self' 'unsafe-eval'", context: { colorScheme: "dark", width: 390 } }, assistiveTechnology],
  ["the accessibility tree", {}, accessibilityTree],
  ["small screens", { context: { width: 320, height: 640 } }, smallScreens],
  ["right to left", { lang: "ar", dir: "rtl" }, rightToLeft],
]);
