// The element with assistive technology: what axe finds on each of its screens, and the tree that is read out.
// Usage: access.mjs [all]; without `all`, two looks are seen, each in one language.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { root } from "./support/bundle.mjs";
import { runChecks, setUp } from "./support/host.mjs";
import { CONSENT, QUESTIONS } from "./support/samples.mjs";
import { SCREENS, screens } from "./support/screens.mjs";

const AXE = readFileSync(`${root}/node_modules/axe-core/axe.min.js`, "utf8");
/** The page lets axe run, which makes functions of texts. */
const POLICY = "script-src 'self' 'unsafe-eval'";

/** What assistive technology reads, kept in `aria.txt`. */
async function accessibilityTree(page) {
  const [one, many, sure, rate, text] = QUESTIONS;
  const options = [{ id: "A", label: "A", description: "The first", recommended: true }, { id: "B", label: "B", preview: "b" }];
  await setUp(page, { request: { ...CONSENT, context: "Why it is *asked*.", questions: [{ ...one, options }, many, sure, rate, { ...text, required: false }] } });
  await page.getByRole("button", { name: "Submit" }).click();
  const read = await page.locator("sayso-questionnaire").ariaSnapshot();
  assert.equal(`${read}\n`, readFileSync(`${import.meta.dirname}/aria.txt`, "utf8"));
}

const LOOKS = ["light", "dark", "forced light", "forced dark"];
const LANGS = ["en", "zh"];
const isWhole = process.argv[2] === "all";

/** Fails with what axe finds on any screen. */
function everyScreen(lang) {
  return async (page) => {
    await page.evaluate(AXE);
    await setUp(page, { lang });
    let count = 0;
    for await (const what of screens(page)) {
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`);
      assert.deepEqual(found, [], what);
      count += 1;
    }
    assert.equal(count, SCREENS);
  };
}

const checks = LOOKS.flatMap((look, index) => LANGS.filter((_, turn) => isWhole || index === 3 * turn).map((lang) => {
  const colorScheme = look.endsWith("dark") ? "dark" : "light";
  const context = { colorScheme, forcedColors: look.startsWith("forced") ? "active" : "none" };
  return [`what axe finds, ${lang}, ${look}`, { policy: POLICY, lang, context }, everyScreen(lang)];
}));
if (isWhole) checks.push(["what axe finds on a phone", { policy: POLICY, context: { width: 390, height: 844, hasTouch: true } }, everyScreen("en")]);
await runChecks([...checks, ["the accessibility tree", {}, accessibilityTree]]);
