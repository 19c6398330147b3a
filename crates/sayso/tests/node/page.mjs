// Real browser driven by a test: each line of standard input is a step on a page, each line of standard output its result.
// Usage: page.mjs BROWSER ADDRESS [SWITCH…]; BROWSER is the address of one that runs, or the program of one to start.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { existsSync, readFileSync } from "node:fs";
import { chromium, firefox } from "playwright-core";
import { HANDS, smallTargets } from "../browser/support/hands.mjs";
import { everywhere, forbidden } from "../browser/support/harm_texts.mjs";
import { cutOff, hiddenFocus, notMirrored, spaceText, tallBars } from "../browser/support/layout.mjs";
import { launchWebKit } from "./webkit.mjs";

const [place, baseURL, ...further] = process.argv.slice(2);
const switches = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", ...further,
];
const LIMIT_MS = 40_000;
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const inPath = (name) => process.env.PATH.split(":").map((folder) => `${folder}/${name}`).find(existsSync);
// Firefox as it is packaged. Playwright cannot emulate reduced motion in it; a setting does.
const FIREFOX = { channel: "moz-firefox", executablePath: inPath("firefox-esr"), firefoxUserPrefs: { "ui.prefersReducedMotion": 1 } };
const LAUNCHES = { firefox: () => firefox.launch(FIREFOX), webkit: launchWebKit };
const launch = () => (place.startsWith("ws:") ? chromium.connect(place) : chromium.launch({ executablePath: place, args: switches }));
const browser = await (LAUNCHES[place] ?? launch)();
const pages = new Map();
const errors = [];
let held;
// Bytes that each page received, as they were sent.
const transferred = new Map();

// Addresses and titles that hold no word of an ask.
const ADDRESS = /^\/($|login(#[\w-]+)?$|enter(#[\da-f]+(&ask=[\da-f-]+)?)?$|a\/[\da-f-]+(#review|#main|#step-\d+)?$|element$|docs$|examples\/[a-z]+$$)/;
// Runs in each page: a violation of its policy is an error, and so is a title or a state in the history with other words.
const WATCH = (port) => {
  if (location.port !== port) return;
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => console.error(`policy: ${violatedDirective} ${blockedURI}`));
  const check = () => {
    if (!/^(Sayso(: a thread|: the API of this desk|: the element|: forms over a WebSocket)?(( \(|（)\d+\+?[)）])?)?$/.test(document.title)) console.error(`title: ${document.title}`);
    if (history.state !== null) console.error(`state: ${JSON.stringify(history.state)}`);
  };
  new MutationObserver(check).observe(document, { subtree: true, childList: true, characterData: true });
};

/** Returns true for an address of the server itself: 127.0.0.1 leads to localhost. */
const isServer = ({ origin, hostname, port }, base) =>
  origin === base || (["localhost", "127.0.0.1"].includes(hostname) && port === new URL(base).port);

// Opens a page in a browser profile of its own, or in that of another page.
const open = async ({ name, shares, profile, width = 900, height = 900, lang, scheme, touch = false, base = baseURL, headers }) => {
  const launch = (options) => (profile
    // A browser of its own, whose profile outlasts it.
    ? (place === "firefox" ? firefox : chromium).launchPersistentContext(profile, { ...(place === "firefox" ? FIREFOX : { executablePath: inPath("chromium"), args: switches }), ...options })
    : browser.newContext(options));
  const context = shares ? pages.get(shares).context() : await launch({
    baseURL: base, viewport: { width, height }, locale: lang ?? "en-US", colorScheme: scheme ?? "light",
    hasTouch: touch, reducedMotion: "reduce", extraHTTPHeaders: headers,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.addInitScript(WATCH, new URL(base).port);
  page.on("framenavigated", (frame) => {
    const url = new URL(frame.url());
    if (isServer(url, base) && !ADDRESS.test(url.pathname + url.search + url.hash)) errors.push(`address: ${frame.url()}`);
  });
  page.on("request", (request) => {
    // A page of the server asks for nothing of anyone else.
    const [from, to] = [request.frame().url(), new URL(request.url())];
    const isPart = !request.isNavigationRequest() && URL.canParse(from) && isServer(new URL(from), base);
    if (isPart && to.protocol.startsWith("http") && !isServer(to, base)) errors.push(`request: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
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
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const runAxe = async (page) => {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, any: [{ message } = {}] }) => `${id}: ${target.join(" ")}: ${message}`));
};
const steps = {
  goto: (page, { path }) => page.goto(path),
  reload: (page) => page.reload(),
  // Closes a tab at once, as a system does that needs its memory.
  close: (page) => page.close(),
  // Waits until the page knows the element.
  defined: (page) => page.evaluate(async () => { await customElements.whenDefined("sayso-questionnaire"); }),
  // Ends a browser whose profile stays.
  quit: (page) => page.context().close(),
  back: (page) => page.evaluate(() => history.back()),
  forward: (page) => page.evaluate(() => history.forward()),
  fill: (page, { label, text }) => field(page, label).fill(text),
  type: (page, { label, text }) => field(page, label).pressSequentially(text),
  press: (page, { label, key }) => field(page, label).press(key),
  key: (page, { key }) => page.keyboard.press(key),
  check: (page, { label, role = "radio", off = false }) => named(page, role, label).setChecked(!off),
  hover: (page, { selector }) => page.locator(selector).hover(),
  // Returns how far apart two elements are, and whether one is on the screen as a whole.
  distance: async (page, { from, to }) => {
    const [one, other] = await Promise.all([from, to].map((selector) => page.locator(selector).boundingBox()));
    return String(Math.abs(one.y - other.y));
  },
  // WebKit scrolls smoothly, so it is looked at until it is there.
  inside: async (page, { selector }) => String(await page.locator(selector).evaluate((part) => new Promise((done) => {
    const until = performance.now() + 5_000;
    const look = () => {
      const { top, bottom } = part.getBoundingClientRect();
      const isInside = top >= 0 && bottom <= innerHeight;
      if (isInside || performance.now() > until) done(isInside);
      else setTimeout(look, 20);
    };
    look();
  }))),
  height: async (page, { selector }) => String((await page.locator(selector).boundingBox()).height),
  focus: (page, { selector }) => page.locator(selector).focus(),
  top: async (page, { selector }) => String((await page.locator(selector).boundingBox()).y),
  click: (page, { button, role = "button" }) => named(page, role, button).click(),
  follow: (page, { text }) => page.getByRole("link", { name: text }).first().click(),
  sees: (page, { text }) => page.getByText(text).last().waitFor(),
  gone: (page, { text }) => page.getByText(text).first().waitFor({ state: "hidden" }),
  visible: (page, { selector }) => page.locator(selector).waitFor(),
  away: (page, { selector }) => page.locator(selector).waitFor({ state: "hidden" }),
  // Lets so much time pass, by the page's own clock.
  settle: (page, { ms }) => page.evaluate((most) => new Promise((done) => setTimeout(done, most)), ms),
  // Presses the button that leads to the review, and the review's own in the moment in which that appears.
  hasty: (page) => page.evaluate(() => new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      const send = document.querySelector(".review .primary");
      if (!send) return;
      watch.disconnect();
      send.click();
      resolve();
    });
    watch.observe(document.body, { subtree: true, childList: true });
    document.querySelector("sayso-questionnaire").shadowRoot.querySelector(".foot .primary").click();
  })),
  // The same by the place of an element, for pages in any language.
  put: (page, { selector, text }) => page.locator(selector).fill(text),
  hit: (page, { selector }) => page.locator(selector).click(),
  // Opens a tab with the page's button, goes to an address in it as its user does, and lets the page lead it elsewhere:
  // returns where the tab is then.
  lead: async (page, { to, typed, then }) => {
    const opened = page.waitForEvent("popup");
    await named(page, "button", "Open").click();
    const tab = await opened;
    await tab.waitForLoadState();
    if (typed) await tab.goto(to);
    await tab.locator(".inbox").waitFor();
    await page.evaluate((address) => { globalThis.tab.location = address; }, then);
    await tab.evaluate(() => new Promise((done) => setTimeout(done, 500)));
    const address = tab.url();
    await tab.close();
    return address;
  },
  // Begins a press and ends it where it began, whatever moves meanwhile.
  down: async (page, { selector }) => {
    await page.locator(selector).hover();
    await page.mouse.down();
  },
  up: (page) => page.mouse.up(),
  pick: (page, { selector, value }) => page.locator(selector).selectOption(value),
  text: async (page, { selector }) => (await page.locator(selector).innerText()).trim(),
  texts: (page, { selector }) => page.locator(selector).allTextContents(),
  value: (page, { label }) => field(page, label).inputValue(),
  valid: async (page, { selector }) => String(await page.locator(selector).evaluate((form) => form.checkValidity())),
  title: (page) => page.title(),
  address: (page) => page.evaluate(() => location.pathname + location.hash),
  // Waits until the title and the icon of the tab have the same count.
  titled: (page, { text }) => page.waitForFunction((title) => {
    const count = new URL(document.querySelector("link[rel=icon]").href).searchParams.get("waiting");
    return document.title === title && count === (/\d+/.exec(title)?.[0] ?? null);
  }, text),
  // The next request to an address has another body or token.
  alter: (page, { url, body, token }) => page.route(url, (route) => {
    const headers = { ...route.request().headers(), ...(token ? { authorization: `Bearer ${token}` } : {}) };
    return route.continue({ headers, ...(body ? { postData: JSON.stringify(body) } : {}) });
  }, { times: 1 }),
  // The next requests to an address fail.
  fail: (page, { url, times }) => page.route(url, (route) => route.abort(), { times }),
  // The browser's storage is full from now on.
  fill_storage: (page) => page.evaluate(() => {
    IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
  }),
  // Returns whether the page would warn before it is closed.
  warns: async (page) => String(await page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })))),
  // Keeps requests to an address waiting, until they are let through.
  hold: (page, { url }) => {
    held = [];
    return page.route(url, (route) => {
      if (held === undefined) return route.continue();
      return new Promise((resolve) => held.push(() => resolve(route.continue())));
    });
  },
  release: () => {
    const waiting = held;
    held = undefined;
    for (const pass of waiting) pass();
  },
  offline: (page, { on }) => page.context().setOffline(on),
  size: async (page, { width, height }) => {
    await page.setViewportSize({ width, height });
    // What follows the size has been drawn.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  },
  spaced: async (page) => {
    await spaceText(page, true);
    const cut = await cutOff(page);
    await spaceText(page, false);
    return cut;
  },
  hidden: (page) => hiddenFocus(page),
  scheme: (page, { scheme, forced = false }) => page.emulateMedia({ colorScheme: scheme, forcedColors: forced ? "active" : "none" }),
  excess: async (page) => String(await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth)),
  direction: (page, { dir }) => page.evaluate((wanted) => document.documentElement.setAttribute("dir", wanted), dir),
  answer: (page, { by, steps }) => HANDS[by].answer(page, steps),
  push: (page, { by, button }) => HANDS[by].press(page, button),
  small: (page, { least }) => smallTargets(page, least),
  cut: async (page) => [...await cutOff(page), ...await tallBars(page)],
  mirrored: (page) => notMirrored(page),
  harm: (page) => forbidden(page),
  everywhere: (_, { text }) => JSON.stringify(everywhere(text)),
  // What assistive technology reads, without times, ids and whether an agent waits still: they differ from run to run.
  tree: async (page, { selector }) => (await page.locator(selector).ariaSnapshot())
    .replaceAll(/\n *- text: · agent waits$/gm, "")
    .replaceAll(/[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d.[AP]M [A-Z]+/g, "DATE").replaceAll(/\d{1,2}:\d\d.[AP]M/g, "TIME")
    .replaceAll(/\bnow\b|\d+ (sec\.|min\.|seconds?|minutes?) ago/g, "AGO").replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "ID"),
  // Waits for the worker, and returns what the browser keeps of the page; `word` is looked for in all of it.
  kept: (page, { word }) => page.evaluate(async (looked) => {
    const { active } = await navigator.serviceWorker.ready;
    const found = [new URL(active.scriptURL).pathname];
    const add = (name, text) => found.push(text.includes(looked) ? `${name} has ${looked}` : name);
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) add(new URL(request.url).pathname, await (await cache.match(request)).text());
    }
    for (const store of [localStorage, sessionStorage]) Object.entries(store).forEach(([name, text]) => add(name, text));
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise((done) => { indexedDB.open(name).onsuccess = ({ target }) => done(target.result); });
      for (const store of database.objectStoreNames) {
        const all = await new Promise((done) => { database.transaction(store).objectStore(store).getAll().onsuccess = ({ target }) => done(target.result); });
        for (const value of all) add(`${name}/${store}`, JSON.stringify(value, (_, part) => (part instanceof ArrayBuffer ? new TextDecoder().decode(part) : part)));
      }
      database.close();
    }
    return found;
  }, word),
  // Loads the icon as the browser does, and returns the errors of the manifest.
  manifest: async (page) => {
    const session = await page.context().newCDPSession(page);
    const { url, errors: wrong, data } = await session.send("Page.getAppManifest");
    const { name } = JSON.parse(data ?? "{}");
    const width = await page.evaluate(async () => {
      const icon = new Image();
      icon.src = document.querySelector("link[rel=icon]").href;
      await icon.decode();
      return icon.naturalWidth;
    });
    return [new URL(url).pathname, name, `${width > 0}`, ...wrong.map(({ message }) => message)];
  },
  shot: (page, { file }) => page.screenshot({ path: file, fullPage: true }),
  axe: runAxe,
  // Empties the cache, without the worker that keeps the page, and counts anew.
  forget: async (page) => {
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
    });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.clearBrowserCache");
    transferred.set(page, 0);
  },
  // Opens the inbox, whose own module comes only after the rows were asked for, and the account and further rows only after
  // the first are shown; returns how often these were asked for.
  late: async (page) => {
    let show;
    const shown = new Promise((done) => { show = done; });
    for (const later of ["**/v1/me", "**/v1/asks?*after=*"]) await page.route(later, async (route) => { await shown; await route.continue(); });
    const isRows = (address) => new URL(address).pathname === "/v1/asks";
    const asked = page.waitForRequest((request) => isRows(request.url()));
    await page.route("**/page.js", async (route) => { await asked; await route.continue(); });
    await page.goto("/");
    await page.locator(".rows .row").first().waitFor();
    show();
    const read = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    return String(read.filter((address) => isRows(address) && !address.includes("after=")).length);
  },
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
const lines = createInterface({ input: process.stdin });
// A browser ends with the test, also with one that has failed.
lines.once("close", async () => {
  await browser.close();
  process.exit(0);
});
for await (const line of lines) {
  const { number, what, page: name = "main", ...how } = JSON.parse(line);
  try {
    const came = what === "open" ? await open({ name, ...how }) : await steps[what](pages.get(name), how);
    say({ number, came: typeof came === "string" || Array.isArray(came) ? came : null });
  } catch (error) {
    say({ number, error: String(error), page: await pages.get(name)?.locator("body").innerText() });
  }
}
