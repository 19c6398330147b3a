// The front end of the resume API, as small as it can be. What an agent wrote becomes text nodes and nothing else; what it
// asks is shown by the element, which needs this import alone.
import "/sayso-questionnaire.js";
import { toResume, toSayso } from "/interrupt.js";
// Only for pages of the desk itself, where a person is signed in: others send a token.
import { fetchWithProof } from "/session.js";

const at = (id) => document.getElementById(id);
const AGAIN_MS = 1000;
const LOOK_MS = 2000;
// Without a token the cookie of /login counts.
let token = "";
let thread = "";
// The last message while nobody has heard it. Sent again it has the same key, and is heard once.
let unheard = {};
// Counts what is read, so that an older reading ends where a newer one has begun.
let reading = 0;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// What would show as nothing, or turn the order of what stands beside it, is shown as what it is.
const visible = (text) =>
  text.replace(/[^\P{C}\n\t\u200c\u200d]/gu, (sign) => `‹U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}›`);

const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

const element = (name, members = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), members);
  made.append(...inside);
  return made;
};

const REFUSALS = {
  401: "You are not signed in, or no longer: sign in, then send it again.",
  403: "This thread belongs to someone else.",
};

class Refused extends Error {
  constructor(status, detail) {
    const words = typeof detail === "string" ? detail : JSON.stringify(detail);
    super(REFUSALS[status] ? `${REFUSALS[status]} (${words})` : words);
    this.status = status;
  }
}

const request = async (method, path, body, more) => {
  const headers = { "content-type": "application/json", ...more };
  if (token) headers.authorization = `Bearer ${token}`;
  const reply = await (token ? fetch : fetchWithProof)(path, { method, headers, body: body && JSON.stringify(body) });
  if (!reply.ok) throw new Refused(reply.status, (await reply.json()).detail);
  return reply;
};

const fetched = async (path) => (await request("GET", path)).json();

async function* events(reply) {
  let text = "";
  for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block)?.[1];
      if (name) yield [name, JSON.parse(/^data: (.*)$/m.exec(block)[1])];
    }
  }
}

const show = (role, content) => {
  const line = element("p", { className: role, dir: "auto" }, visible(content));
  at("said").append(line);
  line.scrollIntoView({ block: "end" });
  return line;
};

// Reads a stream to its end, and says what came with it. Where `end` does not come the connection has broken.
const read = async (sent) => {
  const own = (reading += 1);
  const here = thread;
  at("said").ariaBusy = "true";
  let line;
  let end;
  try {
    for await (const [name, data] of events(sent)) {
      if (own !== reading) return undefined;
      if (name === "messages/partial") {
        line ??= show("assistant", "");
        line.append(visible(data.content));
        line.scrollIntoView({ block: "end" });
        continue;
      }
      if (name === "title_updated") {
        at("threads").selectedOptions[0].textContent = visible(data.title);
        continue;
      }
      line = undefined;
      if (name === "tool/start") show("tool", `${data.tool} …`);
      if (name === "tool/end") show("tool", `${data.tool} ✓`);
      if (name === "interrupt") ask(data);
      if (name === "error") at("wrong").textContent = visible(data.message);
      if (name === "end") end = data;
    }
  } catch {
    // It broke: there is no end.
  } finally {
    if (own === reading) at("said").ariaBusy = "false";
  }
  if (!end && own === reading) await reopen(here);
  return end;
};

// The server has gone, or the way to it: what happened meanwhile is read as soon as it is there again.
const reopen = async (here) => {
  at("wrong").textContent = "The connection broke. Trying again …";
  for (;;) {
    await pause(AGAIN_MS);
    if (here !== thread) return;
    try {
      await open(here);
      return;
    } catch (error) {
      if (error instanceof Refused) throw error;
    }
  }
};

const safely = (work) => async (event) => {
  event?.preventDefault();
  at("wrong").textContent = "";
  try {
    await work(event);
  } catch (error) {
    at("wrong").textContent = visible(error.message);
  }
};

// Sends a decision. The form stays filled until the server has taken it.
const resume = async (form, words, body) => {
  form.busy = true;
  try {
    const sent = await request("POST", `/api/resume/${thread}`, body, { "idempotency-key": form.key });
    at("waiting").hidden = true;
    const line = show("decided", words);
    const end = await read(sent);
    if (end?.action === "error") {
      line.remove();
      await look();
    }
  } finally {
    form.busy = false;
  }
};

// The words of a decision: what was answered, or which tools go on.
const inWords = (data, { action, answers, reason }) => {
  if (action === "answer") {
    const label = (value, number) => data.questions[number]?.options.find((option) => option.value === value)?.label ?? value;
    return answers.map(label).join(" · ");
  }
  const calls = data.data?.action_requests ?? [];
  if (action === "cancel") return reason ? `Cancelled: ${reason}` : "Cancelled";
  return ["Go on", calls.map(({ name }) => name).join(", ")].filter(Boolean).join(": ");
};

// Shows what an interrupt asks: its questions, or its approval with exactly what would be done and the options it names.
const ask = (data) => {
  const box = at("waiting");
  const asked = JSON.stringify(data);
  // What somebody has begun to fill in stays as it is.
  if (box.asked === asked && box.firstElementChild) {
    box.hidden = false;
    return;
  }
  const form = element("sayso-questionnaire", { className: "bare", request: toSayso(data) });
  const decide = (body) => resume(form, inWords(data, body), body);
  form.addEventListener("sayso-submit", safely(({ detail }) => decide(toResume(data, detail.replies))));
  form.addEventListener("sayso-decline", safely(({ detail }) => decide({ action: "cancel", ...detail })));
  // Sent twice, a decision is about this all the same.
  form.key = newKey();
  box.asked = asked;
  box.replaceChildren(form);
  box.hidden = false;
  box.scrollIntoView({ block: "nearest" });
};

// What was refused still waits, or has been decided elsewhere.
const look = async () => {
  const { interrupt_info: asked } = await fetched(`/api/status/${thread}`);
  if (asked) ask(asked);
  else at("waiting").hidden = true;
};

// What is asked here may be decided anywhere: in a terminal, on another page.
const elsewhere = async () => {
  for (;;) {
    await pause(LOOK_MS);
    const [here, box] = [thread, at("waiting")];
    const isBusy = () => box.hidden || box.firstElementChild?.busy;
    if (isBusy()) continue;
    try {
      const { interrupt_info: asked } = await fetched(`/api/status/${here}`);
      if (here !== thread || isBusy() || JSON.stringify(asked) === box.asked) continue;
      box.hidden = true;
      await open(here);
    } catch {
      // The next look will tell.
    }
  }
};

// What happened so far: the tools that ran, and what was decided.
const happen = ({ type, tool, status, info, decision }) => {
  if (type === "tool") {
    if (status === "completed") show("tool", `${tool} ✓`);
    return;
  }
  if (!decision) return;
  const goesOn = info ? `Go on: ${info}` : "Go on";
  show("decided", decision.answers?.join(" · ") ?? (decision.action === "continue" ? goesOn : "Cancelled"));
};

// What was said so far, and then what goes on.
const open = async (id) => {
  if (id !== thread) at("waiting").hidden = true;
  thread = id;
  const own = (reading += 1);
  const sent = await request("GET", `/api/chat/${id}`);
  const { messages, events: happened } = await fetched(`/api/history/${id}`);
  if (own !== reading) return sent.body.cancel();
  at("wrong").textContent = "";
  at("said").replaceChildren();
  const happenAfter = (count) => happened.filter(({ after }) => after === count).forEach(happen);
  happenAfter(0);
  messages.forEach(({ role, content }, number) => {
    show(role, content);
    happenAfter(number + 1);
  });
  at("say").hidden = false;
  await read(sent);
};

const list = async () => {
  const { sessions } = await fetched("/api/sessions");
  const options = sessions.map(({ thread_id, title, created_at }) =>
    element("option", { value: thread_id, selected: thread_id === thread },
      visible(title ?? `Begun ${new Date(created_at).toLocaleString()}`)));
  at("threads").replaceChildren(...options);
  return sessions;
};

const begin = async () => {
  const agent = at("agent").value.trim();
  const { thread_id } = await (await request("POST", "/api/sessions", agent ? { agent } : undefined)).json();
  thread = thread_id;
  await list();
  await open(thread_id);
};

const enter = async () => {
  const [last] = await list();
  at("enter").hidden = true;
  at("place").hidden = false;
  await (last ? open(last.thread_id) : begin());
};

at("enter").onsubmit = safely(() => {
  token = at("token").value.trim();
  return enter();
});
at("begin").onclick = safely(begin);
at("threads").onchange = safely(() => open(at("threads").value));
at("message").onkeydown = (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  at("say").requestSubmit();
};
at("say").onsubmit = safely(async () => {
  const message = at("message").value;
  at("message").value = "";
  let sent;
  try {
    if (unheard.message !== message || unheard.thread !== thread) unheard = { message, thread, key: newKey() };
    sent = await request("POST", `/api/chat/${thread}`, { message }, { "idempotency-key": unheard.key });
    unheard = {};
  } catch (error) {
    // Not heard: what was typed is not lost.
    at("message").value ||= message;
    throw error;
  }
  at("waiting").hidden = true;
  show("user", message);
  await read(sent);
});
elsewhere();
await safely(async () => {
  try {
    await enter();
  } catch (error) {
    if (error.status !== 401) throw error;
    at("enter").hidden = false;
  }
})();
