// Texts of an agent that mean harm, a request that has one in each of its places, and what a page must not have of them.
import { readFileSync } from "node:fs";
import { root } from "./bundle.mjs";

const CASES = JSON.parse(readFileSync(`${root}/crates/core/tests/vectors/hostile-text.json`, "utf8"));
const OWN = ["[click](javascript:alert(1))", "[x](https://аpple.com)", "<https://example.com/\u202e>"];

/** All texts: for browsers, of forgers, for terminals, and of letters that are not seen. */
export const HARM = [
  ...CASES.flatMap(({ id, class: kind, input }) => input.map((text) => ({ id, text, isForPages: kind === "web" || kind === "forge" }))),
  ...OWN.map((text) => ({ id: text, text, isForPages: true })),
];

/** Returns a request with this text in each of its places. */
export function everywhere(text) {
  return {
    title: text, context: text, submit: text, cancel: text, action: { tool: text, act: { edit: { path: text, diff: text } } },
    sections: [{ id: "s", title: text, detail: text, optional: true, submit: text, questions: [
      { id: "a", prompt: text, label: text, detail: text, options: [{ id: "o", label: text, description: text, preview: text }], other: true, other_label: text },
      { id: "b", kind: "confirm", prompt: text, yes: text, no: text }, { id: "c", kind: "text", prompt: text, placeholder: text, prefill: { text } },
      { id: "d", kind: "rating", prompt: text, annotations: { 1: text } },
    ] }],
    completed: { summary: text },
  };
}

/** Returns what must not be there: parts that run, fetch or lead away, and letters that control, reorder or hide. */
export function forbidden(page) {
  return page.evaluate(() => {
    const found = [];
    const visit = (root, isOurs) => {
      for (const one of root.querySelectorAll("*")) {
        if (one.shadowRoot) visit(one.shadowRoot, false);
        if (!isOurs && one.matches("a, img, svg, math, script, style, iframe, form, object, base, meta, [src], [href], [style], [onload], [onerror]")) found.push(one.outerHTML);
        if (one.closest("head, script, textarea")) continue;
        for (const { nodeType, data } of one.childNodes) {
          if (nodeType === 3 && /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069\u2800]/.test(data)) found.push(data);
        }
      }
    };
    visit(document, true);
    return found;
  });
}
