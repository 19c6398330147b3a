const DATABASE = "sayso";
const KEYS = "keys";
/** Store of edits that the desk does not have. */
export const EDITS = "edits";
/** The server takes proofs that are two minutes old or young; a clock that is off by more than this is corrected. */
const CLOCK_MS = 30_000;
/** SHA-256 of no bytes. */
const EMPTY_DIGEST = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";

/** The database of this browser, opened once; a sign-in in another tab may have it anew. */
let database: Promise<IDBDatabase> | undefined;

/** Key of the session, read as soon as this module is there. A browser without storage has no key, and so no session. */
let keyInUse: Promise<CryptoKey | undefined> | undefined = readKey("session");
/** The server's clock minus this one. */
let offsetMs = 0;

function openDatabase(): Promise<IDBDatabase> {
  return (database ??= new Promise<IDBDatabase>((done, fail) => {
    const request = indexedDB.open(DATABASE, 2);
    request.onupgradeneeded = () => {
      for (const name of [KEYS, EDITS]) {
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
      }
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => {
        request.result.close();
        database = undefined;
      };
      done(request.result);
    };
    request.onerror = () => fail(request.error);
  }).catch((error: unknown) => {
    database = undefined;
    throw error;
  }));
}

/** Reads from a store of this browser. */
export async function read<T>(name: string, work: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const opened = await openDatabase();
  return new Promise((done, fail) => {
    const request = work(opened.transaction(name).objectStore(name));
    request.onsuccess = () => done(request.result as T);
    request.onerror = () => fail(request.error);
  });
}

/** Changes a store of this browser; returns once it is done. */
export async function write(name: string, work: (store: IDBObjectStore) => void): Promise<void> {
  const opened = await openDatabase();
  await new Promise<void>((done, fail) => {
    const change = opened.transaction(name, "readwrite");
    change.oncomplete = () => done();
    change.onerror = () => fail(change.error);
    change.onabort = () => fail(change.error);
    work(change.objectStore(name));
  });
}

function readKey(name: string): Promise<CryptoKey | undefined> {
  return read<CryptoKey | undefined>(KEYS, (store) => store.get(name)).catch(() => undefined);
}

/** Returns the key under which unsent edits are kept. It is made with the session, and deleted with it. */
export function readEditsKey(): Promise<CryptoKey | undefined> {
  return readKey("edits");
}

/** Keeps the key of a new session, with a key for edits that the desk does not have; what an earlier one sealed ends with it. */
export async function keepKey(key: CryptoKey): Promise<void> {
  const sealing = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  await write(EDITS, (store) => void store.clear());
  await write(KEYS, (store) => {
    store.put(sealing, "edits");
    store.put(key, "session");
  });
  forgetKey();
}

/** Deletes the keys of this browser's session, with what they seal. */
export async function dropKeys(): Promise<void> {
  for (const name of [KEYS, EDITS]) await write(name, (store) => void store.clear());
  forgetKey();
}

/** Writes bytes as base64 for addresses, without padding. */
export function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns whether this browser has the key of a session. */
export async function hasKey(): Promise<boolean> {
  keyInUse ??= readKey("session");
  return (await keyInUse) !== undefined;
}

/** Returns the proof that a page of this origin makes a request with this body; none if this browser is not signed in. */
export async function proofOf(method: string, target: string, body = ""): Promise<string | undefined> {
  const key = (await hasKey()) ? await keyInUse : undefined;
  if (!key) return undefined;
  const ms = Date.now() + offsetMs;
  const encoder = new TextEncoder();
  const digest = body ? base64url(await crypto.subtle.digest("SHA-256", encoder.encode(body))) : EMPTY_DIGEST;
  const text = ["sayso-proof-2", method, location.host, target, ms, digest].join("\n");
  const signed = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, encoder.encode(text));
  return `${ms}.${digest}.${base64url(signed)}`;
}

/** A request to the desk. Its body is text, since the proof covers it. */
type ProvenInit = RequestInit & { headers: Record<string, string>; body?: string };

/** Rows with which the inbox begins. */
export const FIRST_ROWS = "/v1/asks?state=open%2Csubmitted&rows=50";
/** They are read while the page's other modules still load. */
let firstRows = readFirstRows();

async function readFirstRows(): Promise<Response | undefined> {
  const isPage = document.querySelector("script[src='/page.js']") !== null;
  if (!isPage || !(await hasKey())) return undefined;
  const headers = { accept: "application/json", "accept-language": document.documentElement.lang };
  // What fails is read again.
  return sendWithProof(FIRST_ROWS, { method: "GET", headers }).catch(() => undefined);
}

/** Fetches from the desk with the proof of the session. */
export async function fetchWithProof(target: string, init: ProvenInit): Promise<Response> {
  if (target !== FIRST_ROWS) return sendWithProof(target, init);
  const begun = firstRows;
  firstRows = Promise.resolve(undefined);
  return (await begun) ?? sendWithProof(target, init);
}

/** Sends a request with a proof, and once more with a new one if it was refused: the clocks may differ, and a browser that
 * repeats a request by itself repeats its proof too. */
async function sendWithProof(target: string, init: ProvenInit): Promise<Response> {
  const send = async () => {
    const proof = await proofOf(init.method ?? "GET", target, init.body);
    return fetch(target, { ...init, cache: "no-store", headers: proof ? { ...init.headers, "sayso-proof": proof } : init.headers });
  };
  const reply = await send();
  const date = Date.parse(reply.headers.get("date") ?? "");
  const differs = Math.abs(date - Date.now() - offsetMs) > CLOCK_MS;
  if (reply.status !== 401 || !(await hasKey())) return reply;
  if (differs) offsetMs = date - Date.now();
  return send();
}

/** Reads the key again: the person may have signed in again in another tab. */
export function forgetKey(): void {
  keyInUse = undefined;
}

/** Leads to the sign-in page, which leads back to this place. */
export function leadToSignIn(): void {
  // The address of an ask is an id and no word of it.
  sessionStorage.setItem("sayso-return", location.pathname);
  location.assign("/login");
}

/** Ends the session of this browser, and deletes its keys with what they seal. */
export async function signOut(): Promise<void> {
  await fetchWithProof("/v1/session", { method: "DELETE", headers: {} });
  await dropKeys();
  location.assign("/login");
}
