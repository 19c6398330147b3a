// Measures the page and the element in Debian's Chromium, beside other renderers: `node run.mjs PROGRAM [--quick] [--no-peers | --screens]`.
// With `--screens` it measures nothing and takes the pictures of the docs.

import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { at, firstPaint, typeKeys, watch } from "./measure.mjs";
import { pages } from "./peers.mjs";
import { takePictures } from "./screens.mjs";
import { sayso } from "./questionnaire.mjs";
import { startServer } from "./server.mjs";

const [program, ...switches] = process.argv.slice(2);
const quick = switches.includes("--quick");
const [KEYS, VISITS] = quick ? [60, 5] : [400, 30];
const executablePath = process.env.PATH.split(delimiter).map((folder) => join(folder, "chromium")).find(existsSync);
const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args });
const table = [];
const ms = (value) => `${value.toFixed(1)} ms`;
const row = (what, found, target = "", met = undefined) => table.push([what, found, target, met === undefined ? "" : met ? "met" : "missed"]);

function rowsOfKeys(name, { keys, timing }, isOurs) {
  const [script, event] = [at(keys, 0.99), at(timing, 0.99)];
  const times = `${ms(at(keys, 0.5))} · p99 ${ms(script)} (n=${keys.length})`;
  row(`${name}: key → script and layout done, 200 questions`, times, isOurs ? "p99 ≤ 4 ms" : "", isOurs ? script <= 4 : undefined);
  row(`${name}: Event Timing of a key`, `p99 ${event <= 8 ? "< 16 ms" : ms(event)}`, isOurs ? "p99 ≤ 32 ms" : "", isOurs ? event <= 32 : undefined);
}

async function openContext() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" });
  await context.addInitScript(watch);
  return context;
}

/** Returns the times of the first rows of the inbox that is shown, sent as HTML: the least that this browser takes. */
async function plainRows(page) {
  const address = `${server.address}/plain-rows`;
  const rows = await page.locator("#layout").evaluate((layout) => layout.outerHTML);
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Inbox</title><link rel="stylesheet" href="/page.css"><body>${rows}</body></html>`;
  await page.route(address, (route) => route.fulfill({ body, contentType: "text/html; charset=utf-8" }));
  const times = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    await page.goto(address);
    await page.waitForFunction(() => globalThis.measured.rows !== undefined);
    times.push(await page.evaluate(() => globalThis.measured.rows));
  }
  return times;
}

const load = loadavg()[0];
const server = await startServer(program);
const context = await openContext();
const page = await context.newPage();
await page.goto(`${server.address}/login`);
await page.getByLabel("Code", { exact: true }).fill(server.code);
await page.getByRole("button", { name: "Sign in" }).click();
await page.locator(".inbox .tab").first().waitFor();

if (switches.includes("--screens")) {
  await takePictures(server, page);
  server.stop();
  await browser.close();
  process.exit(0);
}

// First visits with an empty cache.
const small = await server.ask({ title: "Release", questions: [{ id: "name", prompt: "What is it called?" }] });
const paints = [];
let bytes = 0;
for (let visit = 0; visit < VISITS; visit += 1) {
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send("Network.enable");
  await devtools.send("Network.clearBrowserCache");
  bytes = 0;
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => { bytes += encodedDataLength; });
  await tab.goto(`${server.address}/a/${small}`);
  await tab.getByLabel("What is it called?").waitFor();
  paints.push(await firstPaint(tab));
  await tab.close();
}
row("Page of an ask: first contentful paint, nothing cached", `${ms(at(paints, 0.5))} · p99 ${ms(at(paints, 0.99))} (n=${VISITS})`, "median ≤ 150 ms", at(paints, 0.5) <= 150);
row("Page of an ask: all that is transferred", `${(bytes / 1024).toFixed(1)} KiB`, "≤ 59 KiB", bytes <= 59 * 1024);

// Keys at the desk's page.
const large = await server.ask(sayso);
await page.goto(`${server.address}/a/${large}`);
rowsOfKeys("Page", await typeKeys(page, KEYS), true);

// An inbox of 1,000.
for (let asked = 2; asked < 1000; asked += 50) {
  await Promise.all(Array.from({ length: Math.min(50, 1000 - asked) }, (_, at) => server.ask({ title: `Ask ${asked + at}`, questions: [{ id: "q", prompt: `Number ${asked + at}?` }] })));
}
const [first, longest] = [[], []];
for (let visit = 0; visit < VISITS; visit += 1) {
  await page.goto(`${server.address}/`);
  await page.waitForFunction(() => globalThis.measured.rows !== undefined);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
  const { rows, tasks } = await page.evaluate(() => globalThis.measured);
  first.push(rows);
  longest.push(Math.max(0, ...tasks));
}
row("Inbox of 1,000: from the navigation to the first rows", `${ms(at(first, 0.5))} · p99 ${ms(at(first, 0.99))} (n=${VISITS})`, "≤ 100 ms", at(first, 0.5) <= 100);
const plain = await plainRows(page);
row("The same rows as HTML without a script", `${ms(at(plain, 0.5))} · p99 ${ms(at(plain, 0.99))} (n=${VISITS})`);
row("Inbox of 1,000: longest task", at(longest, 1) === 0 ? "< 50 ms" : ms(at(longest, 1)), "≤ 50 ms", at(longest, 1) <= 50);
await context.close();
server.stop();

// The element beside others, each on a page of its own.
for (const { name, script, style, bytes: size } of await pages(!switches.includes("--no-peers"))) {
  const alone = await openContext();
  const files = {
    "/": ["text/html", `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><link rel="stylesheet" href="/style.css"><body><script src="/script.js"></script></body></html>`],
    "/script.js": ["text/javascript", script],
    "/style.css": ["text/css", style],
  };
  await alone.route("**/*", (route) => {
    const [media, body] = files[new URL(route.request().url()).pathname] ?? ["text/plain", ""];
    return route.fulfill({ body, contentType: `${media}; charset=utf-8` });
  });
  const tab = await alone.newPage();
  tab.on("pageerror", (error) => console.error(`${name}: ${error}`));
  await tab.goto("http://page.test/");
  row(`${name}: script and style after gzip`, `${(size / 1024).toFixed(1)} KiB`);
  rowsOfKeys(name, await typeKeys(tab, KEYS), name.startsWith("<"));
  await alone.close();
}
await browser.close();
const lines = [["what", "measured", "target", ""], ["---", "---", "---", "---"], ...table];
console.log(lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
console.log(`\nLoad of the machine before the run: ${load.toFixed(1)} on ${process.env.NUMBER_OF_PROCESSORS ?? (await import("node:os")).cpus().length} processors.`);
