// The front end of the threads' spec, as small as it can be. What an agent wrote becomes text nodes and nothing else.
const at = (id) => document.getElementById(id);
let token = "";
let thread = "";

const element = (name, members = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), members);
  made.append(...inside);
  return made;
};

const request = async (method, path, body) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const reply = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  if (!reply.ok) {
    const { detail } = await reply.json();
    throw new Error(typeof detail === "string" ? detail : JSON.stringify(detail));
  }
  return reply;
};

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
  const line = element("p", { className: role, textContent: content });
  at("said").append(line);
  line.scrollIntoView({ block: "end" });
  return line;
};

const read = async (reply) => {
  const here = thread;
  let line;
  for await (const [name, data] of events(reply)) {
    if (here !== thread) return;
    if (name === "messages/partial") {
      line ??= show("assistant", "");
      line.textContent += data.content;
    } else {
      line = undefined;
      if (name === "tool/start") show("tool", `${data.tool} …`);
      if (name === "tool/end") show("tool", `${data.tool} ✓`);
      if (name === "interrupt") ask(data);
      if (name === "error") at("wrong").textContent = data.message;
      if (name === "title_updated") await list();
    }
  }
};

const safely = (work) => async (event) => {
  event?.preventDefault();
  at("wrong").textContent = "";
  try {
    await work(event);
  } catch (error) {
    at("wrong").textContent = error.message;
  }
};

const resume = async (body) => {
  at("waiting").hidden = true;
  await read(await request("POST", `/api/resume/${thread}`, body));
  // What was refused still waits.
  await look();
};

const question = (asked, number) => {
  const set = element("fieldset", {}, element("legend", { textContent: asked.question }));
  asked.options.forEach((option) => {
    const pick = element("input", { type: "radio", name: `q${number}`, value: option.value, required: true });
    const label = element("label", {}, pick, ` ${option.label}`);
    if (option.allow_custom) {
      const typed = element("input", { ariaLabel: option.label });
      typed.oninput = () => { pick.checked = true; };
      pick.typed = typed;
      label.append(" ", typed);
    }
    set.append(label);
  });
  return set;
};

const ask = (data) => {
  const form = at("waiting");
  const decline = element("button", { type: "button", textContent: "Cancel" });
  decline.onclick = safely(() => resume({ action: "cancel" }));
  form.replaceChildren(element("strong", { textContent: data.taskName }), element("p", { textContent: data.info }));
  if (data.questions?.length) {
    form.append(...data.questions.map(question), element("button", { textContent: "Answer" }), " ", decline);
    form.onsubmit = safely(() => {
      const picks = data.questions.map((_, number) => form.querySelector(`input[name=q${number}]:checked`));
      return resume({ action: "answer", answers: picks.map((pick) => (pick.typed ?? pick).value.trim()) });
    });
  } else {
    // Exactly what would be done, apart from what the agent says about it.
    for (const call of data.data?.action_requests ?? []) {
      form.append(element("pre", { textContent: `${call.name}\n${JSON.stringify(call.args, null, 2)}` }));
    }
    form.append(element("button", { textContent: "Continue" }), " ", decline);
    form.onsubmit = safely(() => resume({ action: "continue" }));
  }
  form.hidden = false;
};

const look = async () => {
  const status = await (await request("GET", `/api/status/${thread}`)).json();
  at("waiting").hidden = !status.interrupt_info;
  if (status.interrupt_info) ask(status.interrupt_info);
  return status;
};

const open = async (id) => {
  thread = id;
  at("said").replaceChildren();
  const { messages } = await (await request("GET", `/api/history/${thread}`)).json();
  messages.forEach(({ role, content }) => show(role, content));
  at("say").hidden = false;
  const status = await look();
  if (status.status === "running") await read(await request("GET", `/api/chat/${thread}`));
};

const list = async () => {
  const { sessions } = await (await request("GET", "/api/sessions")).json();
  const options = sessions.map(({ thread_id, title, created_at }) =>
    element("option", { value: thread_id, textContent: title ?? created_at, selected: thread_id === thread }));
  at("threads").replaceChildren(...options);
  return sessions;
};

const begin = async () => {
  const { thread_id } = await (await request("POST", "/api/sessions")).json();
  thread = thread_id;
  await list();
  await open(thread_id);
};

at("enter").onsubmit = safely(async () => {
  token = at("token").value.trim();
  const [last] = await list();
  at("enter").hidden = true;
  document.querySelector("nav").hidden = false;
  await (last ? open(last.thread_id) : begin());
});
at("begin").onclick = safely(begin);
at("threads").onchange = safely(() => open(at("threads").value));
at("say").onsubmit = safely(async () => {
  const message = at("message").value;
  at("message").value = "";
  at("waiting").hidden = true;
  show("user", message);
  await read(await request("POST", `/api/chat/${thread}`, { message }));
});
