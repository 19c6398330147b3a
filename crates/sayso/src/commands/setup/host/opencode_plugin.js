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

/** Sends an answer of the desk to OpenCode. One that its own dialog has answered meanwhile is gone there. */
async function sendReply(serverUrl, type, id, answer) {
  const kind = type.startsWith("question") ? "question" : "permission";
  const verb = answer.reject ? "reject" : "reply";
  await fetch(new URL(`/${kind}/${id}/${verb}`, serverUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(answer.reject ? {} : answer),
  });
}

export const Sayso = async ({ directory, serverUrl }) => ({
  event: async ({ event }) => {
    if (!ASKS.has(event.type) && !ENDS.has(event.type)) return;
    const printed = runHook({ type: event.type, properties: event.properties, directory });
    if (!ASKS.has(event.type)) return;
    // Not awaited: OpenCode goes on, and shows its dialog.
    printed
      .then((text) => text && sendReply(serverUrl, event.type, event.properties.id, JSON.parse(text)))
      .catch(() => {});
  },
});
