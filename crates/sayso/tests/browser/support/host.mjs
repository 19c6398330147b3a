// A page that embeds the element, in Debian's Chromium. Each check is a function; the first that fails ends the program.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { root } from "./bundle.mjs";

const ORIGIN = "http://page.test";
const SWITCHES = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
const PAGE = `
  window.seen = [];
  const element = document.querySelector("sayso-questionnaire");
  for (const name of ["sayso-change", "sayso-submit", "sayso-decline", "sayso-step", "sayso-error"]) {
    document.addEventListener(name, ({ detail }) => window.seen.push([name, detail]));
  }
  document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => console.error("policy: " + violatedDirective));
`;

function documentOf({ lang = "en", dir = "ltr", body = "<main><sayso-questionnaire></sayso-questionnaire></main>" }) {
  return `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8"><title>Page</title>`
    + `<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/page.css"><header><h1>Page</h1></header>${body}`
    + `<script src="/sayso-questionnaire.js"></script><script src="/page.js"></script></html>`;
}

/** Opens a page with the element; ends it with an error if the page broke a policy, failed, or asked for anything else. */
async function withPage(browser, options, use) {
  const { width = 900, height = 900, ...context } = options.context ?? {};
  const page = await browser.newPage({ viewport: { width, height }, ...context });
  page.setDefaultTimeout(60_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
  page.on("dialog", (dialog) => errors.push(`dialog: ${dialog.message()}`));
  const files = {
    "/": ["text/html", documentOf(options)],
    "/frame": ["text/html", documentOf({})],
    "/page.js": ["text/javascript", PAGE],
    "/page.css": ["text/css", "html { color-scheme: light dark } body { margin: 16px; background: light-dark(#fff, #15171c); color: light-dark(#111, #eee) }"],
    "/favicon.ico": ["image/x-icon", ""],
  };
  for (const name of ["sayso-questionnaire.js", "interaction.js", "interrupt.js"]) files[`/${name}`] = ["text/javascript", readFileSync(`${process.env.SAYSO_DIST ?? `${root}/web/dist`}/${name}`, "utf8")];
  await page.route("**/*", (route) => {
    const url = new URL(route.request().url());
    const file = url.origin === ORIGIN ? files[url.pathname] : undefined;
    if (file === undefined) {
      errors.push(`asked for ${url}`);
      return route.abort();
    }
    const headers = { "content-type": `${file[0]}; charset=utf-8`, "content-security-policy": options.policy ?? POLICY };
    return route.fulfill({ body: file[1], headers });
  });
  await page.goto(`${ORIGIN}/`);
  await use(page);
  assert.deepEqual(errors, []);
  await page.close();
}

/** Sets properties of the element, in their order. */
export async function setUp(frame, properties) {
  await frame.evaluate((given) => Object.assign(document.querySelector("sayso-questionnaire"), given), properties);
}

/** Returns the details of an event so far. */
export async function seen(frame, name) {
  const all = await frame.evaluate(() => window.seen);
  return all.filter(([event]) => event === name).map(([, detail]) => detail);
}

/** Returns the replies that were submitted last. */
export async function submitted(frame) {
  return (await seen(frame, "sayso-submit")).at(-1)?.replies;
}

/** Returns the text of the element, as it is laid out. */
export function shownText(frame) {
  return frame.evaluate(() => document.querySelector("sayso-questionnaire").shadowRoot.firstElementChild.innerText);
}

/** Returns the browser, which `cargo xtask setup` installs. */
function chromiumPath() {
  const found = process.env.PATH.split(delimiter).map((folder) => join(folder, "chromium")).find(existsSync);
  assert.ok(found, "chromium is missing: run `cargo xtask setup`");
  return found;
}

/** Returns the browser that the tests share, or starts one. */
export function launch() {
  const shared = process.env.SAYSO_TEST_BROWSER;
  return shared ? chromium.connect(shared) : chromium.launch({ executablePath: chromiumPath(), args: SWITCHES });
}

/** Runs checks, each `[name, options, use(page)]`. */
export async function runChecks(checks) {
  const browser = await launch();
  for (const [name, options, use] of checks) {
    try {
      await withPage(browser, options, use);
    } catch (error) {
      console.log(`${name}: ${error.stack}`);
      process.exitCode = 1;
      break;
    }
  }
  await browser.close();
  if (process.exitCode === undefined) console.log(`${checks.length} checks`);
}
