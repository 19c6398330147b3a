// A client of the interaction format: it shows each questionnaire as a block of its own, and responds over the WebSocket.
import "/sayso-questionnaire.js";
import { toInput, toProblems, toReplies, toSayso } from "/interaction.js";
// Only for pages of the desk itself, where a person is signed in: others send a token.
import { proofOf } from "/session.js";

const at = (id) => document.getElementById(id);
const AGAIN_MS = 1000;
// The blocks by the tool calls that they belong to.
const blocks = new Map();
let socket;

const send = (frame) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  else at("wrong").textContent = "Not connected. What you typed is still here: send it again in a moment.";
};

const respond = (block, response) => {
  const { toolCallId: callId, interactionId } = block.payload;
  block.form.busy = true;
  at("wrong").textContent = "";
  send({ type: "tool_interaction_response", sessionId: block.sessionId, callId, interactionId, ...response });
};

const makeBlock = (sessionId) => {
  const form = document.createElement("sayso-questionnaire");
  form.className = "bare";
  const block = { form, sessionId };
  form.addEventListener("sayso-submit", ({ detail }) => respond(block, { action: "submit", input: toInput(form.request, detail.replies) }));
  form.addEventListener("sayso-decline", ({ detail }) => respond(block, { action: "cancel", ...(detail.reason ? { reason: detail.reason } : {}) }));
  at("blocks").append(form);
  return block;
};

const events = {
  // The first round, or a reprompt with what was wrong; its initial values are what was sent.
  interaction_request(payload, sessionId) {
    if (payload.presentation !== "questionnaire") return;
    const block = blocks.get(payload.toolCallId) ?? makeBlock(sessionId);
    blocks.set(payload.toolCallId, block);
    if (block.payload?.interactionId === payload.interactionId) return;
    block.payload = payload;
    const problems = toProblems(payload);
    // What the person sent is no suggestion of the asker.
    const sent = problems.length > 0 ? toReplies(payload) : undefined;
    block.form.submitted = sent;
    block.form.request = toSayso(payload);
    block.form.problems = problems;
    if (sent) block.form.answers = sent;
    block.form.busy = false;
    block.form.disabled = !at("enabled").checked;
  },
  // A response, on whatever surface.
  interaction_response(payload) {
    const block = blocks.get(payload.toolCallId);
    if (!block) return;
    block.form.busy = false;
    block.response = payload;
  },
  // It has ended for good: what was submitted stays, read-only.
  interaction_pending({ toolCallId, pending }) {
    const block = blocks.get(toolCallId);
    if (!block || pending) return;
    const { action, input, reason } = block.response ?? {};
    if (action === "submit") block.form.completed = { outcome: "answered", replies: toReplies(block.payload, input ?? {}) };
    else block.form.completed = action === "cancel" ? { outcome: "declined", reason } : { outcome: "expired" };
  },
};

const take = ({ data }) => {
  const frame = JSON.parse(data);
  if (frame.type === "chat_event") {
    events[frame.event.type]?.(frame.event.payload, frame.sessionId);
    return;
  }
  if (frame.type !== "error") return;
  at("wrong").textContent = frame.message;
  for (const { form } of blocks.values()) {
    if (!form.busy) continue;
    form.busy = false;
    if (frame.fieldErrors) form.problems = toProblems(frame);
  }
};

const connect = () => {
  const token = at("token").value.trim();
  const address = new URL("/ws", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address, token ? ["interaction", token] : ["interaction"]);
  socket.onopen = async () => {
    const proof = token ? undefined : await proofOf("GET", "/ws");
    if (proof) send({ type: "proof", proof });
    at("enter").hidden = true;
    at("state").textContent = "Connected.";
    const sessionId = at("session").value.trim();
    const interaction = { supported: true, enabled: at("enabled").checked };
    send({ type: "hello", protocolVersion: 2, ...(sessionId ? { sessionId } : {}), interaction });
  };
  socket.onmessage = take;
  socket.onclose = ({ code }) => {
    const isRefused = at("enter").hidden === false;
    at("state").textContent = isRefused ? "The server did not let this page in." : `Disconnected (${code}). Trying again …`;
    if (!isRefused) setTimeout(connect, AGAIN_MS);
  };
};

at("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  connect();
});
at("enabled").addEventListener("change", () => {
  const enabled = at("enabled").checked;
  send({ type: "set_interaction_mode", enabled });
  for (const { form } of blocks.values()) form.disabled = !enabled;
});
