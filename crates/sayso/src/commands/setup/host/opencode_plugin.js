// Written by `sayso setup opencode`; `sayso setup opencode --undo` removes it.
// Hands the questions and permissions of OpenCode to the desk. OpenCode's own dialog stays open: the first answer wins.
import { spawn } from "node:child_process";

const PROGRAM = "sayso"; // set by sayso setup
const ENDS = new Set(["question.replied", "question.rejected", "permission.replied", "session.idle", "session.deleted"]);
const ASKS = new Set(["question.asked", "permission.asked"]);

/** Runs the hook with an event, and returns what it prints. */
function runHook(event) {
  return new Promise((resolve) => {
    const hook = spawn(PROGRAM, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"] });
    let printed = "";
    hook.stdout.on("data", (bytes) => (printed += bytes));
    hook.on("error", () => resolve(""));
    hook.on("close", () => resolve(printed));
    hook.stdin.on("error", () => {});
    hook.stdin.end(JSON.stringify(event));
  });
}

/**
 * Returns the ways to OpenCode's server: the client that plugins get, then the address. On OpenCode's own screen no
 * server listens at the address (https://github.com/anomalyco/opencode/issues/39561). In some versions the client
 * reaches another instance than the one that listens (https://github.com/anomalyco/opencode/issues/28037).
 */
function routes(client, serverUrl) {
  const own = (client?._client ?? client?.client)?.getConfig?.();
  const listening = { fetch: globalThis.fetch, address: serverUrl, headers: own?.headers };
  return own?.fetch ? [{ fetch: own.fetch, address: own.baseUrl, headers: own.headers }, listening] : [listening];
}

/** Posts a body. */
function post(route, path, body) {
  const headers = new Headers(route.headers);
  headers.set("content-type", "application/json");
  return route.fetch(new Request(new URL(path, route.address), { method: "POST", headers, body: JSON.stringify(body) }));
}

/**
 * Sends an answer of the desk on every way, by the id of what is asked: where it is not open, nothing happens. (The list
 * of open permissions fails in 1.18.33 while a web fetch without `timeout` waits.) OpenCode tells by an event that it took
 * the answer; without one the desk shows it as not taken.
 */
async function sendReply(ways, type, id, answer) {
  const kind = type.startsWith("question") ? "question" : "permission";
  const verb = answer.reject ? "reject" : "reply";
  for (const route of ways) {
    try {
      await post(route, `/${kind}/${id}/${verb}`, answer.reject ? {} : answer);
    } catch {
      // Nothing answers there.
    }
  }
}

export const Sayso = async ({ client, directory, serverUrl }) => ({
  event: async ({ event }) => {
    if (!ASKS.has(event.type) && !ENDS.has(event.type)) return;
    const printed = runHook({ type: event.type, properties: event.properties, directory });
    if (!ASKS.has(event.type)) return;
    // Not awaited: OpenCode goes on, and shows its dialog.
    printed
      .then((text) => text && sendReply(routes(client, serverUrl), event.type, event.properties.id, JSON.parse(text)))
      .catch(() => {});
  },
});
