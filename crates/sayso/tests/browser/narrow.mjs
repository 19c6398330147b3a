// The element where there is little room, and from right to left: nothing is cut, nothing scrolls sideways.
// Usage: narrow.mjs [all]; without `all`, each place is seen in one direction.
import assert from "node:assert/strict";
import { runChecks, setUp } from "./support/host.mjs";
import { cutOff } from "./support/layout.mjs";
import { CONSENT } from "./support/samples.mjs";
import { screens } from "./support/screens.mjs";

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft/".repeat(3);
const ARABIC = "هل تريد حذف الملفات القديمة؟";

/** Shows words without a place to break in every text of a request. */
async function* longWords(page) {
  const options = [{ id: "a", label: LONG, description: LONG, preview: LONG, recommended: true }, { id: "b", label: ARABIC }];
  const questions = [
    { id: "one", prompt: LONG, detail: LONG, options, other: true, other_label: LONG, children: [{ id: "deep", prompt: LONG, children: [{ id: "deeper", prompt: LONG, show_if: { answered: false } }] }] },
    { id: "sure", kind: "confirm", prompt: ARABIC, yes: LONG, no: ARABIC },
    { id: "rate", kind: "rating", emoji: true, min: 0, max: 10, prompt: LONG, annotations: { 0: LONG, 5: ARABIC, 10: LONG } },
    { id: "moment", kind: "datetime", prompt: LONG },
  ];
  const action = { tool: LONG, act: { edit: { path: LONG, diff: `+${LONG}\n-${ARABIC}` } } };
  await setUp(page, { completed: null, review: true, request: { title: LONG, context: `${LONG}\n\n> ${LONG}\n\n- [${LONG}](https://example.com/${LONG})`, submit: LONG, cancel: LONG, questions } });
  await page.locator("label").first().click();
  yield "long words";
  await setUp(page, { request: { ...CONSENT, action } });
  yield "a long action";
  await setUp(page, { request: { sections: [{ id: "s", title: LONG, detail: LONG, submit: LONG, questions }, { id: "t", title: ARABIC, optional: true, questions: [{ id: "x", prompt: ARABIC }] }] } });
  yield "long steps";
  const replies = { one: { state: "answered", answer: { picks: [{ other: LONG }] }, note: LONG }, sure: { state: "answered", answer: { confirm: true } } };
  await setUp(page, { problems: [{ detail: LONG }, { detail: LONG, path: ["answers", "one"] }], answers: replies });
  yield "long problems";
  await setUp(page, { request: { questions }, completed: { outcome: "answered", replies } });
  yield "long answers";
}

async function everyScreen(page) {
  for (const shown of [longWords, screens]) {
    for await (const what of shown(page)) assert.deepEqual(await cutOff(page), [], what);
  }
}

/** What stands first is at the right. */
async function mirrored(page) {
  await setUp(page, { request: { title: ARABIC, questions: [{ id: "a", prompt: ARABIC, options: ["نعم", "English"] }] } });
  const isRight = (first, then) => page.locator("label").first().evaluate((label, [one, other]) => {
    const [input, words] = [one, other].map((selector) => label.querySelector(selector).getBoundingClientRect());
    return input.left > words.left;
  }, [first, then]);
  assert.equal(await isRight("input", ".words"), true);
  await everyScreen(page);
}

const PLACES = [
  ["320 px", { width: 320, height: 640 }],
  // A window of 1280 × 1024 at 400 %.
  ["a zoom of 400 %", { width: 320, height: 256, deviceScaleFactor: 4 }],
  ["a laptop", { width: 1280, height: 800 }],
];
const isWhole = process.argv[2] === "all";
await runChecks(PLACES.flatMap(([place, context], index) => [
  ...(isWhole || index === 0 ? [[place, { context }, everyScreen]] : []),
  ...(isWhole || index > 0 ? [[`${place}, from right to left`, { lang: "ar", dir: "rtl", context }, mirrored]] : []),
]));
