// Real browser driven by a test: each line of standard input is a step on a page, each line of standard output its result.
// Usage: page.mjs CHROMIUM ADDRESS
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const [executablePath, baseURL] = process.argv.slice(2);
const switches = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const browser = await chromium.launch({ executablePath, args: switches });
const page = await browser.newPage({ baseURL, viewport: { width: 900, height: 900 } });
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (said) => {
  // A failed request is not a fault of the page.
  if (said.type() === "error" && !said.text().startsWith("Failed to load resource")) errors.push(said.text());
});

const named = (role, name) => page.getByRole(role, { name, exact: true });
const doings = {
  goto: ({ path }) => page.goto(path),
  fill: ({ label, text }) => page.getByLabel(label, { exact: true }).fill(text),
  press: ({ label, key }) => page.getByLabel(label, { exact: true }).press(key),
  check: ({ label }) => named("radio", label).check(),
  click: ({ button }) => named("button", button).click(),
  sees: ({ text }) => page.getByText(text).last().waitFor(),
  gone: ({ text }) => page.getByText(text).first().waitFor({ state: "hidden" }),
  text: ({ selector }) => page.locator(selector).innerText(),
  value: ({ label }) => page.getByLabel(label, { exact: true }).inputValue(),
  valid: async ({ selector }) => String(await page.locator(selector).evaluate((form) => form.checkValidity())),
  errors: () => errors,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { number, what, ...how } = JSON.parse(line);
  try {
    const came = await doings[what](how);
    say({ number, came: typeof came === "string" || Array.isArray(came) ? came : null });
  } catch (error) {
    say({ number, error: String(error), page: await page.locator("body").innerText() });
  }
}
await browser.close();
