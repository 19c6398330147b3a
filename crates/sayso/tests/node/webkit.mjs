// WebKit by the driver of its GTK port, with as much of Playwright's interface as the steps of `page.mjs` need. The driver
// speaks WebDriver alone: it has no network to hold up, no media to emulate, no console and no finger.
// What a selector finds is Playwright's own: its script runs in the page.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";

const LIMIT_MS = 40_000;
const PAUSE_MS = 30;
const KEYS = { Enter: "\uE007", Tab: "\uE004", Escape: "\uE00C", Space: " ", Backspace: "\uE003", Delete: "\uE017", End: "\uE010", Home: "\uE011", ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015", Shift: "\uE008", Control: "\uE009", Alt: "\uE00A", Meta: "\uE03D" };
const bundle = readFileSync(createRequire(import.meta.url).resolve("playwright-core").replace(/index\.js$/, "lib/coreBundle.js"), "utf8");
const [, literal] = /injectedScriptSource\.ts"\(\) \{\s*"use strict";\s*source\d* = ('.*');/.exec(bundle);
const FIND = `(() => {
  if (globalThis.found) return;
  const module = {};
  ${new Function(`return ${literal}`)()}
  globalThis.found = new (module.exports.InjectedScript())(globalThis, { isUnderTest: false, sdkLanguage: "javascript", testIdAttributeName: "data-testid", stableRafCount: 1, browserName: "webkit", shouldPrependErrorPrefix: false, isUtilityWorld: false, customEngines: [] });
})();`;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** A window of a session. */
class Page {
  keyboard = {
    press: (key) => this.perform(keyActions(key)),
    type: (text) => this.perform([...text].flatMap((letter) => strike(letter === "\n" ? KEYS.Enter : letter))),
  };
  #session;
  #handle;
  #scripts = [];

  constructor(session, handle) {
    this.#session = session;
    this.#handle = handle;
  }

  context() { return this.#session; }
  on() {}
  setDefaultTimeout() {}
  addInitScript(script, argument) { this.#scripts.push([script, argument]); }
  waitForTimeout(ms) { return sleep(ms); }

  async send(method, path, body) {
    await this.#session.turnTo(this.#handle);
    return this.#session.send(method, path, body);
  }

  async goto(path) {
    await this.send("POST", "/url", { url: new URL(path, this.#session.base).href });
    await this.#begin();
  }

  /** Runs what is to run first. A page may lead on meanwhile. */
  async #begin() {
    for (const [script, argument] of this.#scripts) await this.evaluate(script, argument).catch(() => this.evaluate(script, argument));
  }

  async reload() {
    await this.send("POST", "/refresh", {});
    await this.#begin();
  }

  title() { return this.send("GET", "/title"); }
  close() { return this.send("DELETE", "/window"); }

  async evaluate(script, argument) {
    const call = typeof script === "function" ? `(${script})(${JSON.stringify(argument) ?? ""})` : script.trim().replace(/;$/, "");
    const code = `const done = arguments[0]; Promise.resolve().then(() => ${call}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await this.send("POST", "/execute/async", { script: code, args: [] });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** Runs code with `element`, the only one that a selector finds, and `all` that it finds. */
  async onElement(selector, code, argument) {
    const words = JSON.stringify(selector);
    return this.evaluate(`(() => {
      ${FIND}
      const all = found.querySelectorAll(found.parseSelector(${words}), document);
      const [element] = all;
      return ((argument) => { ${code} })(${JSON.stringify(argument) ?? ""});
    })()`);
  }

  /** Waits until code returns something other than null for the element. */
  async waitOn(selector, code, argument) {
    const until = Date.now() + LIMIT_MS;
    for (;;) {
      const value = await this.onElement(selector, code, argument).catch((error) => {
        if (Date.now() > until) throw error;
        return null;
      });
      if (value !== null && value !== undefined) return value;
      if (Date.now() > until) throw new Error(`waited for ${selector}`);
      await sleep(PAUSE_MS);
    }
  }

  async waitForFunction(script, argument) {
    const until = Date.now() + LIMIT_MS;
    while (!(await this.evaluate(script, argument))) {
      if (Date.now() > until) throw new Error(`waited for ${script}`);
      await sleep(PAUSE_MS);
    }
  }

  perform(actions) { return this.send("POST", "/actions", { actions: [{ type: "key", id: "keys", actions }] }); }

  point(actions) {
    return this.send("POST", "/actions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
  }

  async setViewportSize({ width, height }) {
    const rect = await this.send("GET", "/window/rect");
    const [inner, outer] = await this.evaluate(() => [innerWidth, innerHeight]);
    await this.send("POST", "/window/rect", { ...rect, width: rect.width - inner + width, height: rect.height - outer + height });
  }

  async screenshot() { return Buffer.from(await this.send("GET", "/screenshot"), "base64"); }

  locator(selector) { return new Locator(this, selector); }
  getByRole(...how) { return new Locator(this).getByRole(...how); }
  getByLabel(...how) { return new Locator(this).getByLabel(...how); }
  getByText(...how) { return new Locator(this).getByText(...how); }
}

const strike = (value) => [{ type: "keyDown", value }, { type: "keyUp", value }];

function keyActions(key) {
  const names = key.split("+").map((name) => KEYS[name] ?? name);
  return [...names.map((value) => ({ type: "keyDown", value })), ...names.toReversed().map((value) => ({ type: "keyUp", value }))];
}

const quoted = (text, exact) => JSON.stringify(text) + (exact ? "s" : "i");
const only = "if (all.length > 1) throw new Error(`${all.length} elements`); if (!element) return null;";
const ready = `${only} if (!element.checkVisibility() || element.disabled) return null;`;

class Locator {
  constructor(page, selector) {
    this.page = page;
    this.selector = selector;
  }

  #with(more) { return new Locator(this.page, this.selector === undefined ? more : `${this.selector} >> ${more}`); }
  locator(selector) { return this.#with(selector); }
  getByRole(role, { name, exact = false } = {}) { return this.#with(`internal:role=${role}${name === undefined ? "" : `[name=${quoted(name, exact)}]`}`); }
  getByLabel(text, { exact = false } = {}) { return this.#with(`internal:label=${quoted(text, exact)}`); }
  getByText(text, { exact = false } = {}) { return this.#with(`internal:text=${quoted(text, exact)}`); }
  and({ selector }) { return this.#with(`internal:and=${JSON.stringify(selector)}`); }
  or({ selector }) { return this.#with(`internal:or=${JSON.stringify(selector)}`); }
  first() { return this.#with("nth=0"); }
  last() { return this.#with("nth=-1"); }

  wait(code, argument) { return this.page.waitOn(this.selector, code, argument); }
  count() { return this.page.onElement(this.selector, "return all.length"); }
  allTextContents() { return this.page.onElement(this.selector, "return all.map((one) => one.textContent)"); }
  innerText() { return this.wait(`${only} return element.innerText`); }
  inputValue() { return this.wait(`${only} return element.value`); }
  evaluate(script) { return this.wait(`${only} return (${script})(element)`); }
  boundingBox() { return this.wait(`${only} const { x, y, width, height } = element.getBoundingClientRect(); return { x, y, width, height }`); }
  waitFor({ state = "visible" } = {}) {
    // The second does not see that a closed <details> is around the host of a shadow.
    const seen = "(element.checkVisibility() && found.elementState(element, 'visible').matches)";
    return this.wait(state === "hidden" ? `return !element || !${seen} || null` : `${only} return ${seen} || null`);
  }

  /** Waits until the middle of the element is still, and what the pointer would hit; does this there. */
  async #reach(actions = []) {
    let place;
    for (;;) {
      const before = JSON.stringify(place);
      place = await this.#place();
      if (JSON.stringify(place) === before) break;
      await sleep(PAUSE_MS);
    }
    await this.page.point([{ type: "pointerMove", duration: 0, ...place }, ...actions]);
  }

  #place() {
    return this.wait(`${ready}
      const before = element.getBoundingClientRect();
      if (before.top < 0 || before.bottom > innerHeight || before.left < 0 || before.right > innerWidth) element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const [{ left, top, width, height }] = element.getClientRects();
      const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
      let hit = document.elementFromPoint(x, y);
      while (hit?.shadowRoot) {
        const inner = hit.shadowRoot.elementFromPoint(x, y);
        if (!inner || inner === hit) break;
        hit = inner;
      }
      const label = element.closest("label");
      if (hit && (element.contains(hit) || hit.contains(element) || label?.contains(hit) || hit.closest("label")?.control === element)) return { x, y };
      // The bar at the top may lie over it.
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      return null;`);
  }

  hover() { return this.#reach(); }
  click() { return this.#reach([{ type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }]); }

  focus() { return this.wait(`${ready} element.focus(); return true`); }

  async fill(text) {
    const done = await this.wait(`${ready} return found.fill(element, argument)`, text);
    if (done === "done") return;
    if (text === "") await this.page.keyboard.press("Delete");
    else await this.page.keyboard.type(text);
  }

  async pressSequentially(text) {
    await this.focus();
    await this.page.keyboard.type(text);
  }

  async press(key) {
    await this.focus();
    await this.page.keyboard.press(key);
  }

  async setChecked(on) {
    if (await this.wait(`${ready} return element.checked`) !== on) await this.click();
    await this.wait("return element?.checked === argument || null", on);
  }

  async selectOption(option) {
    const wanted = typeof option === "string" ? { value: option } : option;
    await this.wait(`${ready} return found.selectOptions(element, [argument])`, wanted);
  }
}

/** A profile of its own: one session of one driver. */
class Session {
  #driver;
  #port;
  #id;
  #handle;

  static async start({ baseURL, viewport, locale }) {
    const session = new Session();
    session.base = baseURL;
    session.#port = await freePort();
    const LANG = `${(locale ?? "en-US").replace("-", "_")}.UTF-8`;
    const env = { ...process.env, LANG, LANGUAGE: LANG };
    session.#driver = spawn("xvfb-run", ["-a", "-s", "-screen 0 1600x1200x24", "WebKitWebDriver", `--port=${session.#port}`], { stdio: "ignore", detached: true, env });
    const browserOptions = { binary: "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", args: ["--automation"] };
    const until = Date.now() + LIMIT_MS;
    let made;
    while (!made) {
      made = await session.#request("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": browserOptions } } }).catch(async (error) => {
        if (Date.now() > until) throw error;
        await sleep(PAUSE_MS);
      });
    }
    session.#id = made.sessionId;
    session.version = made.capabilities.browserVersion;
    session.#handle = await session.send("GET", "/window");
    await session.send("POST", "/timeouts", { script: LIMIT_MS, pageLoad: LIMIT_MS });
    session.first = new Page(session, session.#handle);
    if (viewport) await session.first.setViewportSize(viewport);
    return session;
  }

  async #request(method, path, body) {
    const reply = await fetch(`http://127.0.0.1:${this.#port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await reply.json();
    if (!reply.ok) throw new Error(value?.message || value?.error || reply.statusText);
    return value;
  }

  send(method, path, body) { return this.#request(method, `/session/${this.#id}${path}`, body); }

  async turnTo(handle) {
    if (this.#handle !== handle) await this.send("POST", "/window", { handle });
    this.#handle = handle;
  }

  async newPage() {
    const { first } = this;
    this.first = undefined;
    if (first) return first;
    const { handle } = await this.send("POST", "/window/new", { type: "tab" });
    return new Page(this, handle);
  }

  async close() {
    await this.send("DELETE", "").catch(() => undefined);
    process.kill(-this.#driver.pid);
  }
}

/** Returns a browser whose contexts are sessions. */
export function launchWebKit() {
  const sessions = [];
  return {
    async newContext(options) {
      const session = await Session.start(options);
      sessions.push(session);
      return session;
    },
    async close() {
      await Promise.all(sessions.map((session) => session.close().catch(() => undefined)));
    },
  };
}
