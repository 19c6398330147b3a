// The front end of the threads' spec, as small as it can be. What an agent wrote becomes text nodes and nothing else.
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

class Refused extends Error {
  constructor(status, detail) {
    super(typeof detail === "string" ? detail : JSON.stringify(detail));
    this.status = status;
  }
}

const request = async (method, path, body, more) => {
  const headers = { "content-type": "application/json", ...more };
  if (token) headers.authorization = `Bearer ${token}`;
  const reply = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
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

const resume = async (words, body) => {
  const form = at("waiting");
  form.inert = true;
  try {
    const sent = await request("POST", `/api/resume/${thread}`, body, { "idempotency-key": form.key });
    form.hidden = true;
    const line = show("decided", words);
    const end = await read(sent);
    if (end?.action === "error") {
      line.remove();
      await look();
    }
  } finally {
    form.inert = false;
  }
};

const question = (asked, number) => {
  const set = element("fieldset", {}, element("legend", { dir: "auto" }, visible(asked.question)));
  asked.options.forEach((option) => {
    const pick = element("input", { type: "radio", name: `q${number}`, value: option.value, required: true });
    pick.said = option.label;
    const label = element("label", { dir: "auto" }, pick, ` ${visible(option.label)}`);
    // Who decides reads what the agent gets, too.
    const isOtherWord = !option.allow_custom && option.value.toLowerCase() !== option.label.toLowerCase();
    if (isOtherWord) label.append(` [value: ${visible(option.value)}]`);
    if (option.allow_custom) {
      const typed = element("input", { ariaLabel: `${asked.question}: ${option.label}` });
      // What is typed has to say something, where it is what is picked.
      const check = () => {
        typed.required = pick.checked;
        typed.pattern = pick.checked ? ".*\\S.*" : ".*";
      };
      typed.oninput = () => { pick.checked = true; check(); };
      set.addEventListener("change", check);
      pick.typed = typed;
      label.append(" ", typed);
    }
    set.append(label);
  });
  return set;
};

const ask = (data) => {
  const form = at("waiting");
  const asked = JSON.stringify(data);
  // What somebody has begun to fill in stays as it is.
  if (!form.hidden && form.asked === asked) return;
  const cancel = element("button", { type: "button" }, "Cancel");
  cancel.onclick = safely(() => resume("Cancelled", { action: "cancel" }));
  const title = element("strong", { dir: "auto" }, visible(data.taskName ?? ""));
  form.replaceChildren(title, element("p", { dir: "auto" }, visible(data.info ?? "")));
  if (data.questions?.length) {
    form.append(...data.questions.map(question), element("button", {}, "Answer"), " ", cancel);
    form.onsubmit = safely(() => {
      const picks = data.questions.map((_, number) => form.querySelector(`input[name=q${number}]:checked`));
      const answers = picks.map((pick) => (pick.typed ?? pick).value.trim());
      const said = picks.map((pick, number) => (pick.typed ? answers[number] : pick.said));
      return resume(said.join(" · "), { action: "answer", answers });
    });
  } else {
    // Exactly what would be done, apart from what the agent says about it.
    const calls = data.data?.action_requests ?? [];
    for (const call of calls) {
      form.append(element("pre", { dir: "ltr" }, visible(`${call.name}\n${JSON.stringify(call.args, null, 2)}`)));
    }
    form.append(element("button", {}, "Continue"), " ", cancel);
    form.onsubmit = safely(() => resume(`Go on: ${calls.map(({ name }) => name).join(", ")}`, { action: "continue" }));
  }
  form.asked = asked;
  // Sent twice, a decision is about this all the same.
  form.key = newKey();
  form.hidden = false;
  form.scrollIntoView({ block: "nearest" });
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
    const [here, form] = [thread, at("waiting")];
    if (form.hidden || form.inert) continue;
    try {
      const { interrupt_info: asked } = await fetched(`/api/status/${here}`);
      if (here !== thread || form.hidden || form.inert || JSON.stringify(asked) === form.asked) continue;
      form.hidden = true;
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
  const { thread_id } = await (await request("POST", "/api/sessions")).json();
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
