// A host of MCP Apps: the official client in Node, the reference host's bridge in Chromium, and our page in a sandbox with
// the policy that the specification demands. The argument says which server, what to ask and what the person does; what
// came of it is printed as JSON.
import assert from "node:assert/strict";
import { build } from "esbuild";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { root } from "./support/bundle.mjs";
import { launch } from "./support/host.mjs";

const { server, url, token, mode, ask, person } = JSON.parse(process.argv[2]);
const ORIGIN = "http://host.test";
const MEDIA = "text/html;profile=mcp-app";
/** A reply in less than a second is not a person's. */
const A_PERSONS_TIME = 1_100;
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";
const BRIDGE = `
  import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
  window.show = async (html, input, result) => {
    const capabilities = { serverTools: {}, openLinks: {}, message: { text: {} } };
    const bridge = new AppBridge(null, { name: "host", version: "1" }, capabilities, { hostContext: { theme: "dark", locale: "en-GB" } });
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    bridge.oncalltool = (params) => window.callTool(params);
    bridge.onmessage = async ({ content }) => (await window.note("message", content), {});
    bridge.onopenlink = async ({ url }) => (await window.note("opened", url), {});
    bridge.onsizechange = ({ height }) => { frame.style.height = height + "px"; };
    const ready = new Promise((resolve) => { bridge.oninitialized = resolve; });
    document.body.append(frame);
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    frame.srcdoc = html;
    await ready;
    await bridge.sendToolInput({ arguments: input });
    await bridge.sendToolResult(result);
    window.leave = () => bridge.teardownResource({});
  };
`;

async function connect() {
  const client = new Client({ name: "apps-host", version: "1" }, {
    capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [MEDIA] } } },
    versionNegotiation: { mode },
  });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url), { requestInit }) : new StdioClientTransport({ ...server, stderr: "inherit" }));
  return client;
}

/** Returns the page that belongs to the tool, with the policy in it, as a host without a domain of its own does it. */
async function pageOf(client) {
  const { tools } = await client.listTools();
  const ui = (name) => tools.find((tool) => tool.name === name)?._meta?.ui;
  assert.deepEqual(ui("answer_form"), { visibility: ["app"] });
  assert.equal(ui("wait_for_answer"), undefined);
  const { contents: [page] } = await client.readResource({ uri: ui("ask").resourceUri });
  assert.equal(page.mimeType, MEDIA);
  return page.text.replace("<head>", `<head><meta http-equiv="content-security-policy" content="${POLICY}">`);
}

const client = await connect();
const html = await pageOf(client);
const result = await client.callTool({ name: "ask", arguments: ask });
const told = { status: result.structuredContent.status, message: [], opened: [] };

const bundle = await build({ stdin: { contents: BRIDGE, resolveDir: root }, bundle: true, format: "esm", platform: "browser", write: false, logLevel: "error" });
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 700, height: 900 } });
page.setDefaultTimeout(60_000);
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
const files = { "/": ["text/html", "<!doctype html><title>Host</title><body><script type=module src=/host.js></script>"], "/host.js": ["text/javascript", bundle.outputFiles[0].text], "/favicon.ico": ["image/x-icon", ""] };
await page.route("**/*", (route) => {
  const address = new URL(route.request().url());
  const file = address.origin === ORIGIN ? files[address.pathname] : undefined;
  if (file === undefined) errors.push(`asked for ${address}`);
  return file === undefined ? route.abort() : route.fulfill({ contentType: `${file[0]}; charset=utf-8`, body: file[1] });
});
let waiting;
await page.exposeFunction("note", (name, what) => { told[name].push(what); });
await page.exposeFunction("callTool", async ({ name, arguments: given }) => {
  // As a host has to: the page calls no tool of the model.
  assert.equal(name, "answer_form");
  return client.callTool({ name, arguments: given });
});
await page.goto(`${ORIGIN}/`);
await page.waitForFunction(() => window.show !== undefined);
await page.evaluate(([html, input, result]) => window.show(html, input, result), [html, ask, result]);

const frame = page.frames().find((frame) => frame !== page.mainFrame());
const inside = frame.locator("sayso-questionnaire");
await inside.locator(".question").first().waitFor();
const deeds = {
  async choose({ option }) { await inside.getByText(option, { exact: true }).click(); },
  async type({ field, text }) { await inside.getByLabel(field).fill(text); },
  async press({ button }) {
    await page.waitForTimeout(A_PERSONS_TIME);
    await frame.getByRole("button", { name: button, exact: true }).click();
  },
  async read({ text }) { await frame.getByText(text).first().waitFor(); },
  async wait() { waiting = client.callTool({ name: "wait_for_answer", arguments: { ask_id: result.structuredContent.ask_id, max_wait_s: 50 } }); },
  async count({ button }) { told.buttons = await frame.getByRole("button", { name: button, exact: true }).count(); },
};
for (const { deed, ...rest } of person) await deeds[deed](rest);
told.scheme = await frame.evaluate(() => document.documentElement.style.colorScheme);
told.height = await page.locator("iframe").evaluate((frame) => frame.offsetHeight);
await page.evaluate(() => window.leave());
assert.deepEqual(errors, []);
await browser.close();
told.answer = (await (waiting ?? client.callTool({ name: "wait_for_answer", arguments: { ask_id: result.structuredContent.ask_id, max_wait_s: 0 } }))).structuredContent;
await client.close();
process.stdout.write(`${JSON.stringify(told)}\n`);
