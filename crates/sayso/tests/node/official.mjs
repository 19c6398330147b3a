// Hosts made of the official SDK's client, steered by a test: commands come in as lines of JSON, what happens goes out as
// lines of JSON. `{"id":1,"host":"a","do":"call",…}` is answered by `{"id":1,"ok":…}` or `{"id":1,"error":…}`; everything
// else that a host sees is an event, in the order in which the SDK tells it.
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** The hosts by name. */
const hosts = new Map();

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** A form is shown: the test says how it ends, unless the host is one that ends every form by itself. */
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
  async connect(name, { server, mode, forms, byItself, maxRounds, info }) {
    const client = new Client(info ?? { name: "official-host", version: "1" }, {
      capabilities: forms ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode },
      inputRequired: maxRounds ? { maxRounds } : {},
    });
    const host = { name, client, byItself, forms: [], calls: new Map() };
    if (forms) client.setRequestHandler("elicitation/create", (...args) => showForm(host, ...args));
    client.onerror = (error) => say({ host: name, trouble: String(error) });
    client.onclose = () => say({ host: name, gone: true });
    const transport = new StdioClientTransport({ ...server, stderr: "inherit" });
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

  /** The SDK holds what comes back against the schema that `tools/list` published, and throws where it does not fit. */
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
