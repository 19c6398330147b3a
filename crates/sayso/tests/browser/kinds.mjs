// Every kind of question, answered with a mouse.
import assert from "node:assert/strict";
import { runChecks, seen, setUp, shownText, submitted } from "./support/host.mjs";

const options = [{ id: "ts", label: "TypeScript", description: "Typed" }, { id: "py", label: "Python", recommended: true }, { id: "rs", label: "Rust", preview: "fn main() {}" }];
const ALL = {
  title: "Everything",
  context: "Why **this** is asked.",
  questions: [
    { id: "one", kind: "choice", prompt: "Which language?", options, other: true, children: [
      { id: "why", kind: "text", prompt: "Why Rust?", long: true, show_if: { is: "rs" } },
    ] },
    { id: "many", kind: "choice", multi: true, prompt: "Which parts?", options: ["A", "B", "C"], constraints: [{ max_picks: 2, message: "最多选择 2 项" }] },
    { id: "text", kind: "text", prompt: "Describe it", placeholder: "A fast server", constraints: [{ min_length: 3 }] },
    { id: "sure", kind: "confirm", prompt: "MIT licence?", yes: "Use MIT" },
    { id: "rate", kind: "rating", prompt: "How good?", emoji: true, annotations: { 1: "Bad", 5: "Good" } },
    { id: "count", kind: "number", prompt: "How many?", step: 0.5 },
    { id: "day", kind: "date", prompt: "Which day?" },
    { id: "time", kind: "time", prompt: "At what time?" },
    { id: "moment", kind: "datetime", prompt: "Exactly when?" },
  ],
};
const field = (page, id) => page.locator(`[data-id="${id}"]`);

async function answerAll(page) {
  await setUp(page, { request: ALL });
  assert.equal(await page.locator(":checked").count(), 0, "nothing is picked for a person");
  assert.deepEqual(await page.evaluate(() => document.querySelector("sayso-questionnaire").answers), {});
  await field(page, "one").getByText("Rust", { exact: true }).click();
  await page.getByRole("textbox", { name: "Why Rust?" }).fill("Fast\nand safe");
  await field(page, "many").getByText("C", { exact: true }).click();
  await field(page, "many").getByText("A", { exact: true }).click();
  await field(page, "text").getByRole("textbox").fill(" A server ");
  await field(page, "sure").getByText("Yes").click();
  await field(page, "rate").getByRole("radio", { name: "4 of 5" }).click();
  await page.getByLabel("How many?").fill("2.50");
  await page.getByLabel("Which day?").fill("2026-03-01");
  await page.getByLabel("At what time?").fill("14:30");
  await page.getByLabel("Exactly when?").fill("2026-03-01T14:30");
  await page.getByRole("button", { name: "Submit" }).click();
  const answered = (answer) => ({ state: "answered", answer });
  assert.deepEqual(await submitted(page), {
    one: answered({ picks: [{ option: "rs" }] }),
    why: answered({ text: "Fast\nand safe" }),
    many: answered({ picks: [{ option: "C" }, { option: "A" }] }),
    text: answered({ text: "A server" }),
    sure: answered({ confirm: true }),
    rate: answered({ rating: 4 }),
    count: answered({ number: 2.5 }),
    day: answered({ date: "2026-03-01" }),
    time: answered({ time: "14:30" }),
    moment: answered({ datetime: "2026-03-01T14:30" }),
  });
  const changes = await seen(page, "sayso-change");
  assert.equal(changes.at(-1).valid, true);
  assert.deepEqual(changes[0].changed, ["one"]);
}

async function ownAnswers(page) {
  await setUp(page, { request: ALL });
  const labels = await field(page, "one").locator(".option label").allInnerTexts();
  assert.equal(labels.at(-1), "Other");
  await field(page, "one").getByRole("textbox", { name: "Other" }).fill("Zig");
  const now = () => page.evaluate(() => document.querySelector("sayso-questionnaire").answers.one);
  assert.deepEqual(await now(), { state: "answered", answer: { picks: [{ other: "Zig" }] } });
  await field(page, "one").getByText("Python").click();
  assert.deepEqual(await now(), { state: "answered", answer: { picks: [{ option: "py" }] }, aside: "Zig" });
  assert.equal(await field(page, "one").getByRole("textbox", { name: "Other" }).inputValue(), "Zig", "typed text is not lost");
  await field(page, "one").getByRole("button", { name: "Clear" }).click();
  assert.equal((await now()).state, "unanswered");
  await page.evaluate(() => document.querySelector("sayso-questionnaire").setAttribute("lang", "zh-CN"));
  assert.match((await shownText(page)), /其他/);
  // The format `questionnaire` has a name of its own for it.
  await setUp(page, { request: { ...ALL, rules: { ...ALL.rules, own_answers_are_custom: true } } });
  assert.match((await shownText(page)), /自定义/);
}

async function limitedPicks(page) {
  await setUp(page, { request: ALL });
  const many = field(page, "many");
  for (const name of ["A", "B", "C"]) await many.getByText(name, { exact: true }).click();
  assert.equal(await many.getByRole("checkbox", { name: "C" }).isChecked(), false);
  assert.equal(await many.getByRole("alert").innerText(), "最多选择 2 项");
  await many.getByText("A", { exact: true }).click();
  await many.getByText("C", { exact: true }).click();
  const { answers } = (await seen(page, "sayso-change")).at(-1);
  assert.deepEqual(answers.many.answer.picks, [{ option: "B" }, { option: "C" }]);
  assert.equal(await many.locator("[role=alert]").textContent(), "");
  // The line goes when the question is left, but moves no button that is being pressed.
  await many.getByText("A", { exact: true }).click();
  assert.equal(await many.getByRole("alert").innerText(), "最多选择 2 项");
  await page.setViewportSize({ width: 900, height: 4000 });
  await page.getByRole("button", { name: "Submit" }).click();
  await page.locator("[part=summary]").waitFor();
}

async function followUps(page) {
  await setUp(page, { request: ALL });
  const order = () => page.locator(".question:not([hidden])").evaluateAll((all) => all.map((one) => one.dataset.id));
  assert.equal((await order()).includes("why"), false);
  await field(page, "one").getByText("Rust", { exact: true }).click();
  assert.deepEqual((await order()).slice(0, 3), ["one", "why", "many"]);
  await page.getByRole("status").getByText("1 follow-up question added").waitFor({ state: "attached" });
  await page.getByRole("textbox", { name: "Why Rust?" }).fill("kept");
  await field(page, "one").getByText("Python").click();
  assert.equal((await order()).includes("why"), false);
  await field(page, "one").getByText("Rust", { exact: true }).click();
  assert.equal(await page.getByRole("textbox", { name: "Why Rust?" }).inputValue(), "kept", "a hidden answer comes back");
}

async function words(page) {
  await setUp(page, { request: ALL });
  const text = await shownText(page);
  for (const wanted of ["Everything", "Why this is asked.", "Typed", "Preview", "suggested by the asker", "😡", "😍", "Bad", "Good", "Use MIT"]) {
    assert.ok(text.includes(wanted), `${wanted} in ${text}`);
  }
  assert.equal(await page.getByPlaceholder("A fast server").count(), 1);
  await setUp(page, { request: { questions: [{ id: "a", kind: "confirm", prompt: "?", yes: "是", no: "否" }] } });
  assert.match(await shownText(page), /Yes \(“是”\)[\s\S]*No \(“否”\)/);
  await field(page, "a").getByRole("button", { name: "Add a note" }).click();
  await page.getByLabel("Note to the agent").fill("with care");
  await field(page, "a").getByRole("radio", { name: "No" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  assert.deepEqual(await submitted(page), { a: { state: "answered", answer: { confirm: false }, note: "with care" } });
}

async function longChoices(page) {
  const request = { questions: [{ id: "a", prompt: "Which?", options: Array.from({ length: 20 }, (_, index) => `Option ${index}`) }, { id: "b", kind: "rating", min: 0, max: 100, prompt: "How much?" }] };
  await setUp(page, { request });
  const menu = page.getByLabel("Which?");
  assert.equal(await menu.evaluate((select) => select.value), "");
  await menu.selectOption({ label: "Option 15" });
  await page.getByLabel("How much?").fill("101");
  await page.getByRole("button", { name: "Submit" }).click();
  assert.equal(await submitted(page), undefined);
  await page.getByLabel("How much?").fill("64");
  await page.getByRole("button", { name: "Submit" }).click();
  assert.deepEqual(await submitted(page), { a: { state: "answered", answer: { picks: [{ option: "Option 15" }] } }, b: { state: "answered", answer: { rating: 64 } } });
}

async function searchedChoices(page) {
  await setUp(page, { request: { questions: [{ id: "a", prompt: "Which?", multi: true, options: Array.from({ length: 60 }, (_, index) => `Option ${index}`) }] } });
  const shown = () => field(page, "a").locator(".option:visible").allInnerTexts();
  assert.equal((await shown()).length, 60);
  await field(page, "a").getByRole("checkbox", { name: "Option 7", exact: true }).check();
  await page.getByRole("searchbox", { name: "Search the options" }).fill("tion 41");
  assert.deepEqual(await shown(), ["Option 7", "Option 41"], "what is picked stays in sight");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Submit" }).click();
  assert.deepEqual((await submitted(page)).a.answer.picks, [{ option: "Option 7" }, { option: "Option 41" }]);
  const composing = await page.context().newCDPSession(page);
  await page.getByRole("searchbox").fill("");
  await composing.send("Input.imeSetComposition", { text: "xuan", selectionStart: 4, selectionEnd: 4 });
  assert.equal((await shown()).length, 60, "an unfinished word of an input method hides nothing");
  await composing.send("Input.insertText", { text: "选" });
  assert.deepEqual(await shown(), ["Option 7", "Option 41"]);
  await page.getByRole("searchbox").fill("none of them");
  assert.deepEqual([await shown(), await page.getByRole("status").filter({ hasText: "No matches." }).count()], [["Option 7", "Option 41"], 1]);
  await setUp(page, { answers: { a: { state: "answered", answer: { picks: [{ option: "Option 9" }] } } } });
  assert.ok((await shown()).includes("Option 9"), "what is picked elsewhere is in sight");
}

/** A prompt is laid out as in the terminal. */
async function markdown(page) {
  const prompt = [
    "Which plan?", "| step | takes |", "|---|---|", "| build | **2** min |", "", "- outer", "  - inner", "    1. innermost", "- second", "",
    "> quoted", "> - item", "", "```diff", "-old", "+new", " same", "```",
  ].join("\n");
  await setUp(page, { request: { questions: [{ id: "a", prompt }] } });
  const has = async (selector, count = 1) => assert.equal(await field(page, "a").locator(selector).count(), count, selector);
  await has(".table th", 2);
  await has(".table td strong");
  await has("ul > li > ul > li > ol > li");
  await has("ul ul ol", 1);
  await has("blockquote ul li");
  await has("pre .removed");
  await has("pre .added");
  assert.equal(await field(page, "a").locator("pre").innerText(), "-old\n+new\n same\n");
}

/** A long prompt takes time in proportion to its length, whatever marks it has, and is shown to its end; a browser lays out
 * what is near. */
async function longPrompts(page) {
  const texts = ["word ", "**a ", "`a` ", "[a](b) ", "- a\n", "> a\n", "|a|b|\n", "> > > a\n", "a\n", "[", "这 ", "# a\n", "a;\n", "+a\n-b\n", "|1|2|\n", "|-|\n"];
  const begins = { "a;\n": "```\n", "+a\n-b\n": "```diff\n", "|1|2|\n": "|a|b|\n|-|-|\n" };
  texts.push(Array.from({ length: 12 }, (_, depth) => `${"  ".repeat(depth)}- a\n`).join(""));
  for (const text of texts) {
    const begin = `Q\n${begins[text] ?? ""}`;
    const [short, long, near, drawn, all] = await page.evaluate(async ([piece, first]) => {
      const show = async (length) => {
        const element = document.createElement("sayso-questionnaire");
        let [letters, parts] = [0, 0];
        element.shadowRoot.addEventListener("contentvisibilityautostatechange", ({ skipped, target }) => {
          if (skipped || target.querySelector(".group > *, .rows")) return;
          letters += target.textContent.length;
          parts += target.querySelectorAll("*").length;
        }, true);
        document.body.prepend(element);
        const since = performance.now();
        element.request = { questions: [{ id: "a", prompt: `${first}${piece.repeat(length / piece.length)}END` }] };
        element.getBoundingClientRect();
        const took = performance.now() - since;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const isWhole = element.shadowRoot.textContent.includes("END");
        const nodes = document.createNodeIterator(element.shadowRoot);
        let count = 0;
        while (nodes.nextNode() !== null) count += 1;
        element.remove();
        return [isWhole ? took : Infinity, letters, parts, count];
      };
      const [[few], [many, ...counts]] = [await show(1 << 16), await show(1 << 20)];
      return [few, many, ...counts];
    }, [text, begin]);
    // Sixteen times the length: a quadratic reader would need 256 times as long.
    assert.ok(long < 100 * Math.max(short, 10), `${text}: ${short} ms, ${long} ms`);
    assert.ok(near > 0 && near < 50_000, `${text}: ${near} letters are laid out`);
    assert.ok(drawn < 4_100 && all < 20_000, `${text}: ${drawn} parts of ${all} nodes are laid out`);
  }
}

/** One question is a step, also a follow-up, and in a section; an optional section is passed over as a whole. */
async function oneQuestion(page) {
  const text = (id, more = {}) => ({ id, kind: "text", prompt: `${id}?`, ...more });
  const request = { sections: [
    { title: "Who", questions: [{ id: "a", kind: "confirm", prompt: "a?", consent: false, children: [text("b", { show_if: { is: true } })] }, text("c", { required: false })] },
    { title: "Where", optional: true, submit: "Send it", questions: [text("d"), text("e")] },
  ] };
  await setUp(page, { oneQuestion: true, request });
  const asked = async () => [await page.locator(".question:visible").evaluateAll((all) => all.map((one) => one.dataset.id)), await page.locator(".steps .count").innerText()];
  assert.deepEqual(await asked(), [["a"], "Step 1 of 4"]);
  await page.getByText("Yes", { exact: true }).click();
  const steps = [];
  for (const id of ["b", "c", "d"]) {
    await page.getByRole("button", { name: "Continue" }).click();
    steps.push(await asked());
    if (id === "b") await page.getByLabel("b?").fill("it");
  }
  assert.deepEqual(steps, [[["b"], "Step 2 of 5"], [["c"], "Step 3 of 5"], [["d"], "Step 4 of 5"]]);
  await page.getByRole("button", { name: "Skip this section" }).click();
  const { a, b, d, e } = await submitted(page);
  assert.deepEqual([a.answer, b.answer, d.state, e.state], [{ confirm: true }, { text: "it" }, "skipped", "skipped"]);
}

/** What an agent writes from right to left is laid out so, and a command among it reads as it is. */
async function direction(page) {
  const arabic = "هل تريد حذف الملفات";
  const options = [{ id: "a", label: arabic, description: arabic }, { id: "b", label: "Production" }];
  await setUp(page, { request: { context: `${arabic} \`rm -rf /tmp/${arabic}\`.`, questions: [{ id: "a", prompt: arabic, detail: arabic, options }] } });
  const wrong = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector("sayso-questionnaire");
    const edge = shadowRoot.querySelector(".options").getBoundingClientRect();
    // Of the words themselves, not of their box.
    const place = (part) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      return range.getBoundingClientRect();
    };
    const found = [];
    for (const part of shadowRoot.querySelectorAll("[id$=prompt], .detail p, .name, .description p")) {
      if (edge.right - place(part).right > 60) found.push(part.textContent);
    }
    for (const option of shadowRoot.querySelectorAll(".option")) {
      if (place(option.querySelector(".name")).right > option.querySelector("input").getBoundingClientRect().left) found.push(`${option.textContent}: left`);
    }
    const { firstChild: command } = shadowRoot.querySelector("code");
    const letter = (at) => {
      const range = document.createRange();
      range.setStart(command, at);
      range.setEnd(command, at + 1);
      return range.getBoundingClientRect().left;
    };
    return [...found, ...(letter(0) < letter(command.length - 1) ? [] : [command.data])];
  });
  assert.deepEqual(wrong, []);
}

async function problems(page) {
  await setUp(page, { request: ALL });
  await page.getByLabel("Which day?").focus();
  await page.keyboard.type("03");
  await field(page, "text").getByRole("textbox").focus();
  await field(page, "day").getByText("Complete this date or time.").waitFor();
  await page.getByLabel("Which day?").fill("2026-03-01");
  assert.equal(await field(page, "day").locator(".error").first().textContent(), "", "a whole date is no problem");
  await setUp(page, { answers: {} });
  const text = field(page, "text").getByRole("textbox");
  await text.fill("ab");
  assert.equal(await field(page, "text").locator(".error").first().textContent(), "", "nothing is said while typing");
  await text.blur();
  const error = field(page, "text").locator(".error").getByText("Write at least 3 characters.");
  await error.waitFor();
  await text.fill("abc");
  assert.equal(await error.count(), 0, "it goes as soon as it is right");
  await page.getByRole("button", { name: "Submit" }).click();
  assert.equal(await submitted(page), undefined);
  const head = page.getByRole("heading", { name: /There are \d+ problems/ });
  assert.equal(await head.evaluate((found) => found.getRootNode().activeElement === found), true, "the summary has the focus");
  await page.getByRole("button", { name: /^Which day\?/ }).click();
  assert.equal(await page.getByLabel("Which day?").evaluate((found) => found.getRootNode().activeElement === found), true);
  await setUp(page, { problems: [{ detail: "Please look again." }, { path: ["answers", "text"], detail: "Too dull." }, { path: ["answers", "gone"], detail: "Not here." }] });
  const summary = await page.locator(".summary").innerText();
  for (const wanted of ["Please look again.", "Describe it: Too dull.", "gone: Not here."]) assert.ok(summary.includes(wanted), summary);
  await text.fill("abcd");
  assert.equal(await page.getByText("Too dull.").count(), 0);
}

await runChecks([
  ["answers of every kind", {}, answerAll],
  ["own answers", {}, ownAnswers],
  ["too many picks", {}, limitedPicks],
  ["follow-up questions", {}, followUps],
  ["words of the asker", {}, words],
  ["long choices and scales", {}, longChoices],
  ["a long choice is searched", {}, searchedChoices],
  ["Markdown", {}, markdown],
  ["long prompts", {}, longPrompts],
  ["one question a step", {}, oneQuestion],
  ["direction", {}, direction],
  ["problems", {}, problems],
]);
