/// <reference lib="webworker" />
// Keeps the page itself, which holds no word of any ask, so that it opens without a connection and says so.
const worker = self as unknown as ServiceWorkerGlobalScope;
const CACHE = "sayso-page";
const PARTS = ["/", "/words.js", "/session.js", "/page.js", "/page.css", "/sayso-questionnaire.js", "/icon.svg", "/manifest.webmanifest"];

worker.addEventListener("install", (event) => {
  // The page has just been read, so that the browser has its parts.
  const parts = PARTS.map((part) => new Request(part, { cache: "force-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(parts)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

/** Returns the part of the page that a request is for: the address of an ask is never stored. An icon with a number is none:
 * the next number ends its request, which Firefox reports as an error of the worker. */
function partOf(request: Request): string | undefined {
  const { pathname, search } = new URL(request.url);
  if (request.mode === "navigate") return pathname === "/" || pathname.startsWith("/a/") ? "/" : undefined;
  return search === "" && PARTS.includes(pathname) ? pathname : undefined;
}

worker.addEventListener("fetch", (event) => {
  const part = event.request.method === "GET" ? partOf(event.request) : undefined;
  if (part === undefined) return;
  const fromCache = async (error: unknown) => {
    const kept = await caches.match(part);
    if (kept) return kept;
    throw error;
  };
  event.respondWith(fetch(event.request).catch(fromCache));
});
