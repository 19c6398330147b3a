// Real browser driven by a test: each line of standard input is a step on a page, each line of standard output its result.
// Usage: page.mjs CHROMIUM ADDRESS
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [executablePath, baseURL] = process.argv.slice(2);
const switches = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const LIMIT_MS = 15_000;
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const browser = await chromium.launch({ executablePath, args: switches });
const pages = new Map();
const errors = [];
// Bytes that each page received, as they were sent.
const transferred = new Map();

// Opens a page in a browser profile of its own, or in that of another page.
const open = async ({ name, shares, width = 900, height = 900, lang, scheme, script = true, touch = false, base = baseURL }) => {
  const context = shares ? pages.get(shares).context() : await browser.newContext({
    baseURL: base, viewport: { width, height }, locale: lang ?? "en-US", colorScheme: scheme ?? "light",
    javaScriptEnabled: script, hasTouch: touch, reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (said) => {
    // A failed request is not a fault of the page.
    if (said.type() === "error" && !said.text().startsWith("Failed to load resource")) errors.push(said.text());
  });
  transferred.set(page, 0);
  page.on("requestfinished", (request) => {
    const add = (sizes) => transferred.set(page, transferred.get(page) + sizes.responseHeadersSize + sizes.responseBodySize);
    // A page that is closed meanwhile has no sizes.
    request.sizes().then(add, () => undefined);
  });
  pages.set(name, page);
};

// A field in which text is typed; an option may have the same name.
const field = (page, label) => page.getByLabel(label, { exact: true })
  .and(page.locator("textarea, select, input:not([type=radio]):not([type=checkbox])"));
const named = (page, role, name) => page.getByRole(role, { name, exact: true });
const runAxe = async (page) => {
  const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
};
const steps = {
  goto: (page, { path }) => page.goto(path),
  reload: (page) => page.reload(),
  back: (page) => page.goBack(),
  fill: (page, { label, text }) => field(page, label).fill(text),
  type: (page, { label, text }) => field(page, label).pressSequentially(text),
  press: (page, { label, key }) => field(page, label).press(key),
  key: (page, { key }) => page.keyboard.press(key),
  check: (page, { label, role = "radio" }) => named(page, role, label).check(),
  click: (page, { button, role = "button" }) => named(page, role, button).click(),
  follow: (page, { text }) => page.getByRole("link", { name: text }).first().click(),
  sees: (page, { text }) => page.getByText(text).last().waitFor(),
  gone: (page, { text }) => page.getByText(text).first().waitFor({ state: "hidden" }),
  visible: (page, { selector }) => page.locator(selector).waitFor(),
  // Lets so much time pass, by the page's own clock.
  settle: (page, { ms }) => page.evaluate(async (most) => {
    const since = performance.now();
    while (performance.now() - since < most) await new Promise(requestAnimationFrame);
  }, ms),
  text: (page, { selector }) => page.locator(selector).innerText(),
  value: (page, { label }) => field(page, label).inputValue(),
  valid: async (page, { selector }) => String(await page.locator(selector).evaluate((form) => form.checkValidity())),
  title: (page) => page.title(),
  address: async (page) => new URL(page.url()).pathname + new URL(page.url()).hash,
  titled: (page, { text }) => page.waitForFunction((title) => document.title === title, text),
  excess: async (page) => String(await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth)),
  offline: (page, { on }) => page.context().setOffline(on),
  size: (page, { width, height }) => page.setViewportSize({ width, height }),
  scheme: (page, { scheme }) => page.emulateMedia({ colorScheme: scheme }),
  shot: (page, { file }) => page.screenshot({ path: file, fullPage: true }),
  axe: runAxe,
  transferred: (page) => String(transferred.get(page)),
  // Waits until the page's worker is in place.
  installed: (page) => page.evaluate(async () => { await navigator.serviceWorker.ready; }),
  errors: () => errors,
};
// Waits until a field has this text.
steps.holds = async (page, { label, text }) => {
  const until = Date.now() + LIMIT_MS;
  for (;;) {
    const value = await field(page, label).inputValue();
    if (value === text) return;
    if (Date.now() > until) throw new Error(`${label} holds ${JSON.stringify(value)}`);
    await page.waitForTimeout(20);
  }
};

await open({ name: "main" });
for await (const line of createInterface({ input: process.stdin })) {
  const { number, what, page: name = "main", ...how } = JSON.parse(line);
  try {
    const came = what === "open" ? await open({ name, ...how }) : await steps[what](pages.get(name), how);
    say({ number, came: typeof came === "string" || Array.isArray(came) ? came : null });
  } catch (error) {
    say({ number, error: String(error), page: await pages.get(name)?.locator("body").innerText() });
  }
}
await browser.close();
