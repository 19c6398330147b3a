// Interaction forms in a page without a desk, sentence by sentence of their spec.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { root } from "./support/bundle.mjs";
import { FIELDS } from "./support/every.mjs";
import { runChecks, seen, setUp, shownText, submitted } from "./support/host.mjs";

const OPTIONS = [{ label: "Developer", value: "dev" }, { label: "Designer", value: "design" }];
const field = (page, id) => page.locator(`[data-id="${id}"]`);

/** Shows a form; returns its request in Sayso's own format. */
async function show(page, request) {
  await page.evaluate(async (given) => {
    const { toSayso, toProblems } = await import("/interaction.js");
    const element = document.querySelector("sayso-questionnaire");
    element.request = toSayso(given);
    element.problems = toProblems(given);
  }, request);
}

/** Presses a button, and returns the input that was sent last. */
async function send(page, label = "Submit") {
  await page.getByRole("button", { name: label, exact: true }).click();
  const replies = await submitted(page);
  return page.evaluate(async (given) => {
    const { toInput } = await import("/interaction.js");
    return given === undefined ? undefined : toInput(document.querySelector("sayso-questionnaire").request, given);
  }, replies);
}

async function untouchedFields(page) {
  await show(page, { inputSchema: FIELDS });
  assert.deepEqual(await send(page), {}, "what is untouched sends nothing");
}

async function requiredFields(page) {
  await show(page, { inputSchema: { title: "Quick questions", description: "Please answer.", submitLabel: "Send", cancelLabel: "Not now", fields: [
    { id: "a", type: "text", label: "A", required: true, minLength: 3 }, { id: "b", type: "checkbox", label: "B", required: true },
    { id: "c", type: "text", label: "C", required: true, minLength: 3, validateOnClient: false }, { id: "d", type: "text", label: "D", minLength: 3 },
  ] }, prompt: "An intro" });
  const text = await shownText(page);
  assert.match(text, /Quick questions[\s\S]*An intro[\s\S]*Please answer\.[\s\S]*Send[\s\S]*Not now/);
  await page.getByLabel("A", { exact: true }).fill("  ");
  await page.getByLabel("C", { exact: true }).fill("x");
  assert.equal(await send(page, "Send"), undefined);
  const errors = await page.locator(".question .error:not(:empty)").allInnerTexts();
  assert.deepEqual(errors, ["This field is required.", "This field is required."]);
  await page.getByLabel("A", { exact: true }).fill("abc");
  await field(page, "b").getByText("Yes", { exact: true }).click();
  assert.deepEqual(await send(page, "Send"), { a: "abc", b: true, c: "x" });
}

async function initialValues(page) {
  const fields = [{ id: "a", type: "text", label: "A", defaultValue: "default" }, { id: "b", type: "text", label: "B", defaultValue: "default" }, { id: "c", type: "select", label: "C", options: OPTIONS, defaultValue: "dev" }, { id: "d", type: "number", label: "D", min: 2, step: 0.5 }];
  await show(page, { inputSchema: { fields, initialValues: { a: "initial", d: 1 } } });
  assert.equal(await send(page), undefined);
  assert.match(await shownText(page), /Must be at least 2\./);
  await page.getByLabel("D", { exact: true }).press("ArrowUp");
  assert.equal(await page.getByLabel("D", { exact: true }).inputValue(), "1.5");
  await page.getByLabel("D", { exact: true }).fill("");
  assert.deepEqual(await send(page), { a: "initial", b: "default", c: "dev" });
}

async function reprompts(page) {
  await show(page, { inputSchema: { fields: [{ id: "email", type: "text", label: "Email" }] } });
  await page.getByLabel("Email").fill("nonsense");
  const input = await send(page);
  await show(page, {
    inputSchema: { title: "Fix the errors", fields: [{ id: "email", type: "text", label: "Email" }, { id: "more", type: "text", label: "More" }], initialValues: input },
    errorSummary: "Please correct the highlighted fields.", fieldErrors: { email: "Invalid email format", gone: "Out of stock" },
  });
  assert.equal(await page.getByLabel("Email").inputValue(), "nonsense");
  const text = await shownText(page);
  for (const wanted of ["Fix the errors", "Please correct the highlighted fields.", "Email: Invalid email format", "gone: Out of stock"]) assert.ok(text.includes(wanted), text);
  await page.getByLabel("Email").fill("a@b.com");
  assert.deepEqual(await send(page), { email: "a@b.com" });
}

async function sections(page) {
  await show(page, { inputSchema: { sections: [
    { id: "s", title: "Who", fields: [{ id: "a", type: "text", label: "A", required: true }], submitLabel: "Go on" },
    { id: "t", title: "Where", description: "If you like.", optional: true, fields: [{ id: "b", type: "text", label: "B", required: true }, { id: "c", type: "text", label: "C" }] },
    { id: "u", title: "When", fields: [{ id: "d", type: "text", label: "D" }] },
  ], submitLabel: "Finish" } });
  await page.getByRole("button", { name: "Go on" }).click();
  assert.match(await shownText(page), /This field is required\./);
  await page.getByLabel("A", { exact: true }).fill("x");
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: "Where" }).waitFor();
  await page.getByLabel("C", { exact: true }).fill("begun");
  await page.getByRole("button", { name: "Continue" }).click();
  assert.match(await shownText(page), /This field is required\./, "what is begun must be completed");
  await page.getByRole("button", { name: "Skip this section" }).click();
  await page.getByRole("heading", { name: "When" }).waitFor();
  await page.getByRole("button", { name: "Back" }).click();
  assert.equal(await page.getByLabel("C", { exact: true }).inputValue(), "begun", "a skipped section keeps what was typed");
  await page.getByRole("button", { name: "Skip this section" }).click();
  assert.deepEqual(await send(page, "Finish"), { a: "x" });
  assert.deepEqual(await seen(page, "sayso-step"), [{ step: 1, steps: 3 }, { step: 2, steps: 3 }, { step: 1, steps: 3 }, { step: 2, steps: 3 }]);
}

async function ends(page) {
  await show(page, { inputSchema: { fields: [{ id: "a", type: "text", label: "A" }] }, completedView: { summaryTemplate: "Got {{a}}." } });
  await page.getByLabel("A", { exact: true }).fill("it");
  await send(page);
  const replies = await submitted(page);
  await setUp(page, { completed: { outcome: "answered", replies } });
  assert.match(await shownText(page), /Submitted[\s\S]*Got it\.[\s\S]*A[\s\S]*it/);
  assert.equal(await page.getByRole("button").count(), 0);
  for (const [outcome, words] of [["declined", "Declined"], ["cancelled", "withdrew"], ["expired", "deadline"]]) {
    await setUp(page, { completed: { outcome } });
    assert.ok((await shownText(page)).includes(words));
  }
  await show(page, { inputSchema: { fields: [{ id: "a", type: "text", label: "A" }] }, completedView: { showInputs: false } });
  await setUp(page, { completed: { outcome: "answered", replies } });
  assert.equal(await page.locator("dl").count(), 0, "inputs are shown only where the asker wants it");
}

async function oneCheckbox(page) {
  const fields = [{ id: "a", type: "boolean", label: "A" }, { id: "b", type: "checkbox", label: "B" }, { id: "c", type: "checkbox", label: "C" }, { id: "d", type: "text", label: "D", required: true }];
  await show(page, { inputSchema: { fields } });
  assert.equal(await page.getByRole("radio").count(), 0);
  await field(page, "a").getByRole("checkbox", { name: "Yes" }).check();
  await field(page, "b").getByRole("checkbox", { name: "Yes" }).check();
  await field(page, "b").getByRole("checkbox", { name: "Yes" }).uncheck();
  await page.getByLabel("D", { exact: true }).fill("x");
  assert.deepEqual(await send(page), { a: true, b: false, d: "x" }, "untouched, it is no answer");
}

async function limits(page) {
  await show(page, { inputSchema: { fields: [
    { id: "a", type: "text", label: "A", minLength: 3, maxLength: 80 }, { id: "b", type: "number", label: "B", min: 2, max: 10, step: 0.5 },
  ] } });
  const text = await shownText(page);
  for (const limit of ["at least 3 characters", "at most 80 characters", "at least 2", "at most 10", "In steps of 0.5"]) assert.ok(text.includes(limit), `${limit}: ${text}`);
  for (const [length, said] of [[79, "1 character left"], [82, "2 characters too many"]]) {
    await page.getByLabel("A", { exact: true }).fill("x".repeat(length));
    assert.equal(await field(page, "a").locator(".counter").innerText(), said);
  }
  await setUp(page, { request: { questions: [{ id: "c", prompt: "C", multi: true, options: ["1", "2", "3"], constraints: [{ max_picks: 2 }] }] } });
  assert.match(await shownText(page), /Choose at most 2\./);
}

async function disabledForms(page) {
  await show(page, { inputSchema: { ...FIELDS, initialValues: { text: "kept" } } });
  await setUp(page, { disabled: true });
  assert.ok((await shownText(page)).includes("Interactive mode disabled — enable to respond"));
  assert.equal(await page.getByRole("button", { name: "Submit" }).count(), 0);
  assert.equal(await page.locator("input:not([readonly], :disabled), textarea:not([readonly]), select:not(:disabled)").evaluateAll((all) => all.filter((one) => one.checkVisibility()).length), 0);
}

/** In an outer form, a form that leads to its desk is neither sent nor in the way. */
async function lockedInOuterForm(page) {
  const request = { questions: [{ id: "ok", kind: "confirm", prompt: "Go?" }] };
  const state = () => page.evaluate(() => [document.querySelector("form").checkValidity(), new FormData(document.querySelector("form")).get("ask")]);
  await setUp(page, { request });
  assert.deepEqual(await state(), [false, "{}"]);
  await page.getByRole("button", { name: "Decline…" }).click();
  await setUp(page, { deskLink: "/a/1" });
  assert.deepEqual(await state(), [true, null]);
  assert.equal(await page.getByRole("button").count(), 0, "the panel that declines is closed");
}

async function lockedForms(page) {
  for (const [locked, changed] of [[{ disabled: true }, []], [{ deskLink: "/a/1" }, []], [{ draftOnly: true }, ["a"]]]) {
    const request = { questions: [{ id: "ok", kind: "confirm", prompt: "Go?" }, { id: "a", kind: "text", prompt: "A", required: false }] };
    await setUp(page, { disabled: false, deskLink: "", draftOnly: false, request: null });
    await setUp(page, { request, answers: { a: { state: "answered", answer: { text: "x" } } }, ...locked });
    for (const one of await page.locator("sayso-questionnaire input").all()) {
      await one.focus();
      for (const key of ["Control+Enter", "Meta+Enter", "Enter", "y", "Space"]) await page.keyboard.press(key);
    }
    await page.evaluate(() => {
      const element = document.querySelector("sayso-questionnaire");
      element.requestSubmit();
      element.mark(true);
    });
    assert.deepEqual([await seen(page, "sayso-submit"), await seen(page, "sayso-decline")], [[], []]);
    assert.deepEqual([...new Set((await seen(page, "sayso-change")).flatMap((detail) => detail.changed))], changed);
  }
  await setUp(page, { draftOnly: false });
}

async function approvals(page) {
  const vectors = readdirSync(`${root}/crates/dialects/tests/vectors/interaction`).filter((name) => /^32[13]-/.test(name));
  assert.equal(vectors.length, 2);
  for (const name of vectors) {
    const { input, expect } = JSON.parse(readFileSync(`${root}/crates/dialects/tests/vectors/interaction/${name}`, "utf8"));
    const got = await page.evaluate(async (given) => {
      const { createApproval, toSayso } = await import("/interaction.js");
      const request = { interactionType: "approval", toolName: "bash", ...given };
      const [responses, buttons] = [[], () => [...view.querySelectorAll("button")]];
      let view = createApproval(request, (response) => responses.push(response));
      const labels = buttons().map((button) => button.textContent);
      for (let at = 0; at < labels.length; at += 1) {
        view = createApproval(request, (response) => responses.push(response));
        buttons()[at].click();
        buttons()[at].click();
      }
      const always = [...createApproval({ ...request, approvalScopes: ["always", "forever"] }, () => undefined).querySelectorAll("button")].map((button) => button.textContent);
      return { prompt: view.querySelector("p").textContent, labels, responses, form: toSayso(request), always };
    }, input);
    assert.deepEqual([got.prompt, got.labels, got.responses, got.form], [expect.prompt, expect.buttons, expect.sentPerButton, null], name);
    assert.deepEqual(got.always, ["Deny", "Always allow"]);
  }
}

async function brokenRequests(page) {
  const good = { questions: [{ id: "a", prompt: "A" }] };
  for (const request of ["{", "[]", "7", JSON.stringify({ questions: 7 }), JSON.stringify({ questions: [{ id: "a" }] }), JSON.stringify({ questions: [null] })]) {
    await setUp(page, { request: good });
    await setUp(page, { request });
    assert.equal(await page.locator("sayso-questionnaire input").count(), 0, request);
  }
  assert.equal((await seen(page, "sayso-error")).length, 6);
  await setUp(page, { request: good });
  assert.equal(await page.locator("sayso-questionnaire input").count(), 1, "the next request is shown");
  const nothing = await page.evaluate(async () => {
    const { toSayso } = await import("/interaction.js");
    return document.querySelector("sayso-questionnaire").request = toSayso({ prompt: "No schema" });
  });
  assert.equal(nothing, null, "without a schema nothing is shown");
  const outcomes = await page.evaluate(() => {
    const circular = { questions: [] };
    circular.questions.push(circular);
    const slider = { id: "b", kind: "slider", prompt: "B" };
    const followed = (child) => ({ questions: [{ id: "a", kind: "confirm", prompt: "A", children: [child] }] });
    const requests = [
      circular, { toJSON() { throw new Error("none"); } }, undefined, "", { questions: [slider] }, { questions: [{ prompt: 7 }] },
      { context: 7, questions: [] }, { sections: [{ title: 7 }] }, { action: {}, questions: [] }, followed(slider), followed({ ...slider, kind: "text", detail: 7 }),
    ];
    return [true, false].map((isFirstInserted) => requests.map((request) => {
      const element = document.createElement("sayso-questionnaire");
      const errors = [];
      element.addEventListener("sayso-error", ({ detail }) => errors.push(typeof detail.detail));
      if (isFirstInserted) document.body.append(element);
      element.request = request;
      document.body.append(element);
      element.shadowRoot.querySelector("input")?.click();
      element.request = request;
      const left = element.shadowRoot.childElementCount;
      element.remove();
      return [errors.length, left];
    }));
  });
  // Each time that it is set, also before the element is in the page, and for a follow-up once it is asked.
  assert.deepEqual(outcomes.flat().filter(([errors]) => errors < 1 || errors > 2), []);
  assert.deepEqual(outcomes.map((all) => all.slice(0, 9).map(([, left]) => left)), Array(2).fill(Array(9).fill(0)));
}

async function declining(page) {
  await show(page, { inputSchema: { cancelLabel: "Not now", fields: [{ id: "a", type: "text", label: "A" }] } });
  await page.getByRole("button", { name: "Not now" }).click();
  assert.deepEqual(await seen(page, "sayso-decline"), []);
  await page.getByRole("button", { name: "Keep answering" }).click();
  await page.getByRole("button", { name: "Not now" }).click();
  const colours = await page.locator(".primary").evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  assert.equal(new Set(colours).size, 2, "one button alone is the primary one");
  await page.getByLabel("Reason (optional)").fill("no time");
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  assert.deepEqual(await seen(page, "sayso-decline"), [{ reason: "no time" }]);
}

/** Vectors of the original web client, but for those that our rulings excuse. */
async function clientVectors(page) {
  const folder = `${root}/crates/dialects/tests/vectors/interaction`;
  const differs = JSON.parse(readFileSync(`${folder}/differs.json`, "utf8"));
  const shown = { webClientForm: clientForm, webClientCompleted: clientCompleted };
  const passed = [];
  for (const name of readdirSync(folder).filter((one) => differs[one.slice(0, 3)] === undefined)) {
    const { kind, input, expect } = JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
    if (!kind?.startsWith("webClient")) continue;
    await shown[kind](page, name, input, expect);
    passed.push(name.slice(0, 3));
  }
  assert.deepEqual(passed, ["307", "308", "310", "318", "320"]);
}

/** Vectors of the original web client that our rulings change: what happens here instead. */
async function changedVectors(page) {
  const folder = `${root}/crates/dialects/tests/vectors/interaction`;
  const vector = (number) => JSON.parse(readFileSync(`${folder}/${readdirSync(folder).find((name) => name.startsWith(number))}`, "utf8"));
  const open = (number) => show(page, { inputSchema: vector(number).input.schema });
  await open("301");
  assert.deepEqual(await send(page), {}, "301: untouched controls send nothing");
  await open("305");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("heading", { name: "Two" }).waitFor();
  assert.deepEqual(await send(page, "Go"), {}, "305: sections are steps of one submit");
  // Without a desk the asker judges patterns.
  for (const [number, text] of [["309", "abc"], ["312", "1.5"]]) {
    await open(number);
    const before = (await seen(page, "sayso-submit")).length;
    await page.getByLabel("A", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Submit", exact: true }).click();
    assert.equal((await seen(page, "sayso-submit")).length - before, 1, `${number}: ${text}`);
  }
  await open("313");
  const declines = (await seen(page, "sayso-decline")).length;
  await page.getByRole("button", { name: "Decline…" }).click();
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  const submits = (await seen(page, "sayso-submit")).length;
  await page.evaluate(() => document.querySelector("sayso-questionnaire").requestSubmit());
  const after = [await seen(page, "sayso-decline"), await seen(page, "sayso-submit")];
  assert.deepEqual([after[0].slice(declines), after[1].slice(submits)], [[{}], [{ replies: { a: { state: "unanswered" } } }]], "313: a submit after a cancel is sent too, without the untouched control");
  const { completedView } = vector("316").input;
  await show(page, { inputSchema: { fields: [{ id: "a", type: "text", label: "A" }] }, completedView });
  await setUp(page, { completed: { outcome: "declined", reason: "no time" } });
  assert.match(await shownText(page), /Declined[\s\S]*no time/, "316: a cancel is a no, with its reason");
}

async function clientForm(page, name, input, expect) {
  await show(page, { inputSchema: input.schema, ...input.request });
  const text = await shownText(page);
  const { title, error, fieldErrors, hint, buttons, inputTypes } = expect.texts;
  // Our word for what Cancel does is the same on every surface.
  const ours = buttons.map((words) => (words === "Cancel" ? "Decline…" : words));
  for (const words of [title, error, hint, ...fieldErrors, ...ours]) assert.ok(words === null || text.includes(words), `${name}: ${words}`);
  const types = await page.locator("input, select, textarea").evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => `${one.localName}:${one.type}`));
  assert.deepEqual(types, inputTypes, name);
  assert.equal(await page.evaluate(() => document.querySelector("sayso-questionnaire").validity.valid), expect.html5Valid, name);
  if (input.userActions === "textarea pattern") await page.getByLabel("A", { exact: true }).fill(expect.sent[0].input.a);
  const before = (await seen(page, "sayso-submit")).length;
  const sent = await send(page);
  const times = (await seen(page, "sayso-submit")).length - before;
  assert.deepEqual(Array.from({ length: times }, () => ({ action: "submit", input: sent })), expect.sent, name);
}

/** An approval is a question for a yes or no, which was answered. */
async function clientCompleted(page, name, { interactionType, response }, expect) {
  assert.equal(interactionType, "approval", name);
  const replies = { go: { state: "answered", answer: { confirm: response.action === "approve" } } };
  await setUp(page, { request: { questions: [{ id: "go", kind: "confirm", prompt: name }] }, completed: { outcome: "answered", replies } });
  // Our word for a no is the same on every surface.
  const summary = expect.summary === "Denied" ? "Answered no" : expect.summary;
  assert.equal(await page.locator(".completed h2").innerText(), summary, name);
  const values = page.locator("input, textarea").evaluateAll((all) => all.filter((one) => one.checkVisibility()).map(({ value }) => value));
  assert.deepEqual([await values, expect.allDisabled], [expect.values, await page.getByRole("button").count() === 0], name);
}

await runChecks([
  ["untouched fields", {}, untouchedFields],
  ["required fields", {}, requiredFields],
  ["initial values", {}, initialValues],
  ["reprompts", {}, reprompts],
  ["sections", {}, sections],
  ["ends", {}, ends],
  ["disabled forms", {}, disabledForms],
  ["declining", {}, declining],
  ["one checkbox", {}, oneCheckbox],
  ["locked forms", {}, lockedForms],
  ["a locked form in an outer form", { body: `<main><form><sayso-questionnaire name="ask"></sayso-questionnaire></form></main>` }, lockedInOuterForm],
  ["approvals with scopes", {}, approvals],
  ["malformed requests", {}, brokenRequests],
  ["limits before the mistake", {}, limits],
  ["vectors of the web client", {}, clientVectors],
  ["vectors of the web client that differ", {}, changedVectors],
]);
