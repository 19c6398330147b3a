// Signs a person in, and shows what waits. Words of agents become text nodes, never HTML.

const at = (id) => document.getElementById(id);
const AGAIN_MS = 3000;
let events;

function complain(words) {
  at("problem").textContent = words;
  at("problem").hidden = !words;
}

// The reply of the desk; null where the browser is not signed in.
async function call(method, path, body) {
  const headers = body ? { "content-type": "application/json" } : {};
  const reply = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  const value = reply.status === 204 ? {} : await reply.json();
  if (reply.ok) return value;
  if (reply.status === 401 && method === "GET") return null;
  throw new Error([value.detail, value.hint].filter(Boolean).join(" "));
}

function row(ask) {
  const item = document.createElement("li");
  const from = document.createElement("small");
  from.dir = "auto";
  from.textContent = [ask.asker, ask.folder].filter(Boolean).join(" \u00b7 ");
  const title = document.createElement("span");
  title.dir = "auto";
  title.textContent = ask.title;
  const how = document.createElement("code");
  how.textContent = `sayso answer ${ask.id.slice(-8)}`;
  item.append(title, from, how);
  return item;
}

async function list() {
  const page = await call("GET", "/v1/asks?rows=100");
  if (!page) return show(null);
  at("asks").replaceChildren(...page.asks.map(row));
  at("nothing").hidden = page.asks.length > 0;
  at("more").hidden = !page.next;
}

let due = false;
let busy = false;

// One reading at a time; what happens meanwhile makes one more.
async function refresh() {
  due = true;
  if (busy) return;
  busy = true;
  while (due) {
    due = false;
    try {
      await list();
      complain("");
    } catch {
      complain(at("problem").dataset.broken);
    }
  }
  busy = false;
}

// Leads back to the page that asked to sign in.
function leave() {
  const back = sessionStorage.getItem("sayso-return");
  sessionStorage.removeItem("sayso-return");
  location.replace(back?.startsWith("/") && !back.startsWith("//") ? back : "/");
}

function show(me) {
  if (me) return leave();
  at("login").hidden = Boolean(me);
  at("desk").hidden = !me;
  events?.close();
  events = undefined;
  if (!me) return at("code").focus();
  at("account").textContent = me.account;
  events = new EventSource("/v1/events");
  for (const name of ["hello", "change", "gap"]) events.addEventListener(name, refresh);
  events.onerror = () => {
    complain(at("problem").dataset.broken);
    // The browser comes back by itself, except to what refused it.
    if (events?.readyState === EventSource.CLOSED) setTimeout(start, AGAIN_MS);
  };
}

async function start() {
  try {
    show(await call("GET", "/v1/me"));
    complain("");
  } catch {
    complain(at("problem").dataset.broken);
    setTimeout(start, AGAIN_MS);
  }
}

async function doing(work) {
  try {
    complain("");
    await work();
  } catch (error) {
    complain(error.message);
  }
}

at("login").addEventListener("submit", (event) => {
  event.preventDefault();
  doing(async () => {
    const me = await call("POST", "/v1/session", { code: at("code").value });
    at("login").reset();
    show(me);
  });
});
at("out").addEventListener("click", () => doing(async () => {
  await call("DELETE", "/v1/session");
  show(null);
}));
start();
