// The page in a browser other than Chromium: Firefox by WebDriver BiDi, WebKit by WebDriver.
// Usage: other_browsers.mjs firefox|webkit ADDRESS CODE ASKS; prints each scene that passed, and the version of the browser.
// ASKS is {text, permission}: ids of the asks that the scenes answer.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import WebSocket from "ws";

const [name, address, code, ids] = process.argv.slice(2);
const asks = JSON.parse(ids);
const LIMIT_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), "sayso-browser-"));

/** Waits for a line of a program. */
async function lineOf(stream, pattern) {
  for await (const line of createInterface({ input: stream })) {
    const found = pattern.exec(line);
    if (found) return found;
  }
  throw new Error(`${name} has ended`);
}

/** Firefox, over its own socket. */
async function firefox() {
  const args = ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"];
  const child = spawn("firefox-esr", args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: folder } });
  const [, url] = await lineOf(child.stderr, /WebDriver BiDi listening on (ws:\S+)/);
  const socket = new WebSocket(`${url}/session`);
  await once(socket, "open");
  const waiting = new Map();
  socket.on("message", (text) => {
    const { id, type, result, message } = JSON.parse(text);
    const [done, fail] = waiting.get(id) ?? [];
    if (type === "error") fail?.(new Error(message));
    else done?.(result);
  });
  let count = 0;
  const call = (method, params) => new Promise((done, fail) => {
    count += 1;
    waiting.set(count, [done, fail]);
    socket.send(JSON.stringify({ id: count, method, params }));
  });
  const { capabilities } = await call("session.new", { capabilities: {} });
  const { contexts: [{ context }] } = await call("browsingContext.getTree", {});
  return {
    version: `Firefox ${capabilities.browserVersion}`,
    goTo: (target) => call("browsingContext.navigate", { context, url: target, wait: "complete" }),
    async run(script) {
      const params = { expression: `JSON.stringify(${script})`, target: { context }, awaitPromise: true };
      const { type, result, exceptionDetails } = await call("script.evaluate", params);
      if (type === "exception") throw new Error(exceptionDetails.text);
      return result.value === undefined ? undefined : JSON.parse(result.value);
    },
    perform: (actions) => call("input.performActions", { context, actions }),
    async close() {
      await call("browser.close", {}).catch(() => undefined);
      child.kill();
    },
  };
}

/** WebKit, by the driver of its GTK port. */
async function webkit() {
  const port = 20_000 + (process.pid % 20_000);
  const child = spawn("xvfb-run", ["-a", "WebKitWebDriver", `--port=${port}`], { stdio: "ignore", detached: true, env: { ...process.env, HOME: folder } });
  const send = async (method, path, body) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await reply.json();
    if (!reply.ok) throw new Error(value?.message ?? reply.statusText);
    return value;
  };
  const until = Date.now() + LIMIT_MS;
  const browserOptions = { binary: "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", args: ["--automation"] };
  let session;
  while (!session) {
    session = await send("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": browserOptions } } }).catch((error) => {
      if (Date.now() > until) throw error;
    });
  }
  const at = (path) => `/session/${session.sessionId}${path}`;
  return {
    version: `WebKit ${session.capabilities.browserVersion}`,
    goTo: (url) => send("POST", at("/url"), { url }),
    async run(script) {
      const value = await send("POST", at("/execute/sync"), { script: `return JSON.stringify(${script})`, args: [] });
      return value === null ? undefined : JSON.parse(value);
    },
    perform: (actions) => send("POST", at("/actions"), { actions }),
    async close() {
      await send("DELETE", at("")).catch(() => undefined);
      process.kill(-child.pid);
    },
  };
}

const browser = await { firefox, webkit }[name]();

/** Finds an element by its place, also in the shadow root of the element. */
const FIND = `((selector) => {
  const [outer, inner] = selector.split(" >>> ");
  const found = document.querySelector(outer);
  return inner === undefined ? found : found?.shadowRoot?.querySelector(inner);
})`;

async function waitFor(what, script) {
  const until = Date.now() + LIMIT_MS;
  for (;;) {
    if (await browser.run(script).catch(() => false)) return;
    if (Date.now() > until) throw new Error(`${what} did not come: ${await browser.run("document.body.innerText")}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const shown = (selector) => waitFor(selector, `${FIND}(${JSON.stringify(selector)})?.checkVisibility() === true`);
const says = (selector, words) => waitFor(words, `${FIND}(${JSON.stringify(selector)})?.innerText.includes(${JSON.stringify(words)}) === true`);

async function click(selector) {
  await shown(selector);
  const [x, y] = await browser.run(`(() => {
    const part = ${FIND}(${JSON.stringify(selector)});
    part.scrollIntoView({ block: "center" });
    const { left, top, width, height } = part.getBoundingClientRect();
    return [Math.round(left + width / 2), Math.round(top + height / 2)];
  })()`);
  await browser.perform([{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: [
    { type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 },
  ] }]);
}

const press = (keys) => browser.perform([{ type: "key", id: "keys", actions: [...keys].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]) }]);
const ENTER = "\uE006";

const SCENES = {
  async "sign in"() {
    await browser.goTo(`${address}/login`);
    await click("#code");
    await press(code + ENTER);
    await shown(".inbox .tab");
    await says("#account", "ada");
  },
  async "the inbox"() {
    await says("#shelf-permissions", "Permissions");
    assert.equal(await browser.run("document.title"), "Sayso (2)");
    const height = await browser.run(`document.querySelector(".row").getBoundingClientRect().height`);
    assert.ok(height <= 46, `${height} px`);
  },
  async "a draft is kept"() {
    await click(`a[href="/a/${asks.text}"]`);
    await click("sayso-questionnaire >>> #q0");
    await press("Aurora");
    await shown(".save-line.saved");
    await browser.goTo(`${address}/a/${asks.text}`);
    await waitFor("the draft", `${FIND}("sayso-questionnaire >>> #q0")?.value === "Aurora"`);
  },
  async "a review is sent"() {
    await click("sayso-questionnaire >>> #q1-1");
    await click("sayso-questionnaire >>> .foot .primary");
    await says(".review", "Aurora");
    // The review ignores a press that was meant for the page before it.
    const since = Date.now();
    await waitFor("the guard's end", `${since} + 500 < Date.now()`);
    await click(".review .primary");
    await says(".receipt", "Answered by ada");
  },
  async "a permission by keys"() {
    await waitFor("the next ask has the focus", `document.activeElement.matches(".receipt a.primary")`);
    await press(ENTER);
    await says("sayso-questionnaire >>> [part=action]", "make one");
    await press("y");
    await waitFor("Approve is marked", `document.querySelector("sayso-questionnaire").shadowRoot.activeElement?.matches("[part=submit]") === true`);
    // A browser whose window is not in front gives a button no keys.
    await click("sayso-questionnaire >>> [part=submit]");
    await says(".receipt", "Approved by ada");
    await waitFor("the title", `document.title === "Sayso"`);
  },
  async "the history"() {
    await click(".tabs .tab:nth-child(2)");
    await shown(".row.answered");
  },
  async "nothing is left unsaved"() {
    const names = await browser.run("document.querySelectorAll('#kept:not([hidden])').length");
    assert.equal(names, 0);
  },
};

try {
  for (const [scene, play] of Object.entries(SCENES)) {
    await play().catch((error) => { throw new Error(`${scene}: ${error.message}`); });
    console.log(scene);
  }
  console.error(browser.version);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
