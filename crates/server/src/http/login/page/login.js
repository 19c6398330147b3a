// Signs a person in, lets in their phone, and lists their signed-in browsers. Lets in the user of a service. The private key never leaves this
// origin's storage; each request is signed with it.

import { base64url, dropKeys, fetchWithProof, hasKey, keepKey } from "/session.js";

const at = (id) => document.getElementById(id);
const AGAIN_MS = 1000;
let link;

function complain(words) {
  at("problem").textContent = words;
  at("problem").hidden = !words;
}

async function newKey() {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  return { key: pair.privateKey, shown: base64url(await crypto.subtle.exportKey("raw", pair.publicKey)) };
}

// The reply of the desk; null if the browser is not signed in.
async function call(method, target, value) {
  const json = value && { headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
  const reply = await fetchWithProof(target, { method, headers: {}, ...json });
  const said = reply.status === 204 ? {} : await reply.json();
  if (reply.ok) return said;
  if (reply.status === 401 && method === "GET") return null;
  throw new Error([said.detail, said.hint].filter(Boolean).join(" "));
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

function leave() {
  const back = sessionStorage.getItem("sayso-return");
  sessionStorage.removeItem("sayso-return");
  location.replace(back?.startsWith("/") && !back.startsWith("//") ? back : "/");
}

// Without a code, the proxy in front of the desk names the user.
async function signIn(code) {
  const { key, shown } = await newKey();
  await call("POST", "/v1/session", { code, key: shown });
  await keepKey(key);
  leave();
}

// A phone that opened a link: it shows a number until the person has confirmed it.
async function claim(code) {
  const { key, shown } = await newKey();
  const claimed = await call("POST", "/v1/session/claims", { code, key: shown });
  at("number").textContent = claimed.number;
  at("claim").hidden = false;
  let me;
  while (!(me = await call("POST", "/v1/session", { claim: claimed.claim })).account) await wait(AGAIN_MS);
  await keepKey(key);
  leave();
}

// The browser of a service's user, who came by an address of the service. Anyone can lead a browser to an address of their
// own, so the person sees the account first. It never replaces a member's session.
async function enter(code) {
  const [entry, ask] = code.split("&ask=");
  const me = (await hasKey()) ? await call("GET", "/v1/me") : null;
  if (me && !me.service) {
    show(me);
    throw new Error(at("problem").dataset.otherUser);
  }
  const { account } = await call("POST", "/v1/session/entries", { entry });
  if (account === me?.account) return goIn(entry, ask);
  at("entry-account").textContent = account;
  at("entry-before").textContent = me?.account ?? "";
  at("entry-now").hidden = at("entry-stay").hidden = !me;
  at("entry").hidden = false;
  at("go-in").addEventListener("click", () => doing(() => goIn(entry, ask)));
  at("go-in").focus();
}

async function goIn(entry, ask) {
  const { key, shown } = await newKey();
  await call("POST", "/v1/session", { entry, key: shown });
  await keepKey(key);
  sessionStorage.removeItem("sayso-return");
  location.replace(/^[0-9a-f-]{36}$/.test(ask ?? "") ? `/a/${ask}` : "/");
}

const BROWSERS = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };
const SYSTEMS = { Android: "Android", iPhone: "iPhone", iPad: "iPad", "Mac OS": "macOS", Windows: "Windows", Linux: "Linux" };

// The short name of a browser, such as "Firefox · Linux", or what it calls itself.
function shortName(agent) {
  const known = (names) => Object.entries(names).find(([part]) => agent.includes(part))?.[1];
  return [known(BROWSERS), known(SYSTEMS)].filter(Boolean).join(" \u00b7 ") || agent;
}

async function listSessions() {
  const found = await call("GET", "/v1/sessions");
  if (!found) return show(null);
  const words = at("sessions").dataset;
  at("sessions").replaceChildren(...found.sessions.map((session) => {
    const item = document.createElement("li");
    const name = document.createElement("span");
    name.textContent = session.agent ? shortName(session.agent) : words.unnamed;
    name.title = session.agent ?? "";
    const times = document.createElement("small");
    const seen = new Date(session.last_seen_at).toLocaleString();
    times.textContent = session.is_current ? `${words.current} \u00b7 ${seen}` : seen;
    item.append(name, times);
    if (!session.is_current) {
      const end = document.createElement("button");
      end.type = "button";
      end.textContent = words.end;
      end.addEventListener("click", () => doing(async () => {
        await call("DELETE", `/v1/sessions/${session.id}`);
        await listSessions();
      }));
      item.append(end);
    }
    return item;
  }));
}

function hideLink() {
  link = undefined;
  at("link").hidden = true;
  at("link").reset();
}

async function showLink() {
  at("let-in").hidden = true;
  const made = await call("POST", "/v1/session/links");
  link = made.id;
  at("qr").setAttribute("viewBox", `0 0 ${made.qr.size} ${made.qr.size}`);
  at("qr").firstElementChild.setAttribute("d", made.qr.path);
  at("url").textContent = made.url;
  at("link").hidden = false;
  while (link === made.id) {
    await wait(AGAIN_MS);
    const { state } = (await call("GET", `/v1/session/links/${made.id}`)) ?? {};
    if (link !== made.id) return;
    if (state === "signed_in") {
      hideLink();
      at("let-in").hidden = false;
      await listSessions();
    } else if (state === "ended" || !state) {
      hideLink();
    }
  }
}

function show(me) {
  at("login").hidden = Boolean(me);
  at("desk").hidden = !me;
  if (!me) return at("code").focus();
  at("account").textContent = me.account;
  // Only a member lets in a phone.
  at("phone").hidden = Boolean(me.service);
  doing(listSessions);
}

async function start() {
  const code = location.hash.slice(1);
  const isEntry = location.pathname === "/enter";
  // The code must not stay in the history.
  if (code) history.replaceState(null, "", "/login");
  if (code) return isEntry ? enter(code) : claim(code);
  // A browser without a key is not signed in.
  const me = (await hasKey()) ? await call("GET", "/v1/me") : null;
  show(me);
  // A page led here, so the person has not just signed out.
  if (!me && sessionStorage.getItem("sayso-return") && "proxy" in document.querySelector("main").dataset) await signIn();
}

async function doing(work) {
  try {
    complain("");
    await work();
  } catch (error) {
    complain(error instanceof TypeError ? at("problem").dataset.broken : error.message);
  }
}

at("login").addEventListener("submit", (event) => {
  event.preventDefault();
  doing(() => signIn(at("code").value));
});
at("link").addEventListener("submit", (event) => {
  event.preventDefault();
  doing(async () => {
    await call("POST", `/v1/session/links/${link}/confirm`, { number: at("shown").value }).catch((error) => {
      hideLink();
      throw error;
    });
  });
});
at("scan").addEventListener("click", () => doing(showLink));
at("refuse").addEventListener("click", () => doing(async () => {
  const ended = link;
  hideLink();
  await call("DELETE", `/v1/session/links/${ended}`);
}));
at("out").addEventListener("click", () => doing(async () => {
  await call("DELETE", "/v1/session");
  await dropKeys();
  show(null);
}));
doing(start);
