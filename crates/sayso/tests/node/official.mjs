// Hosts made of the official SDK's client, driven by a test: commands are lines of JSON on stdin, events are lines of JSON
// on stdout. `{"id":1,"host":"a","do":"call",…}` is answered by `{"id":1,"ok":…}` or `{"id":1,"error":…}`; everything
// else is an event of a host, in the order of the SDK.
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** Hosts by name. */
const hosts = new Map();

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Shows a form. The test ends it, unless the host ends every form by itself. */
function showForm(host, request, context) {
  const number = host.forms.length;
  const event = { host: host.name, form: number, params: request.params };
  if (host.byItself) {
    say(event);
    return { action: host.byItself };
  }
  return new Promise((resolve) => {
    host.forms.push(resolve);
    context.mcpReq.signal.addEventListener("abort", () => say({ host: host.name, closed: number }));
    say(event);
  });
}

const commands = {
  async connect(name, { server, url, token, mode, forms, byItself, maxRounds, info }) {
    const client = new Client(info ?? { name: "official-host", version: "1" }, {
      capabilities: forms ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode },
      inputRequired: maxRounds ? { maxRounds } : {},
    });
    const host = { name, client, byItself, forms: [], calls: new Map() };
    if (forms) client.setRequestHandler("elicitation/create", (...args) => showForm(host, ...args));
    client.onerror = (error) => say({ host: name, trouble: String(error) });
    client.onclose = () => say({ host: name, gone: true });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const transport = url
      ? new StreamableHTTPClientTransport(new URL(url), { requestInit })
      : new StdioClientTransport({ ...server, stderr: "inherit" });
    await client.connect(transport);
    hosts.set(name, host);
    const { tools } = await client.listTools();
    return {
      pid: transport.pid,
      version: client.getNegotiatedProtocolVersion(),
      server: client.getServerVersion(),
      instructions: client.getInstructions(),
      tools,
    };
  },

  /** Calls a tool. The SDK validates the result against the schema of `tools/list`, and throws if it does not fit. */
  async call(name, { tool, arguments: given, abort, timeout, progress }) {
    const { client, calls } = hosts.get(name);
    const control = new AbortController();
    if (abort) calls.set(abort, control);
    const onprogress = progress ? (told) => say({ host: name, progress: told }) : undefined;
    const options = { signal: control.signal, timeout: timeout ?? 120_000, onprogress };
    return client.callTool({ name: tool, arguments: given }, options);
  },

  async abort(name, { call }) {
    hosts.get(name).calls.get(call).abort("the host gave up");
  },

  async reply(name, { form, result }) {
    hosts.get(name).forms[form](result);
  },

  async notify(name, { method, params }) {
    await hosts.get(name).client.notification({ method, params });
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, host, do: what, ...rest } = JSON.parse(line);
  commands[what](host, rest).then(
    (ok) => say({ id, ok: ok ?? null }),
    (error) => say({ id, error: { name: error.name, code: error.code, message: error.message } }),
  );
}
