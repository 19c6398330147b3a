// Loaded before the suite, which has no option for a token: each of its requests to the server carries the one in SUITE_TOKEN.
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { getGlobalDispatcher, setGlobalDispatcher } from "undici";

const authorization = `Bearer ${process.env.SUITE_TOKEN}`;
const withToken = (headers) => {
  if (headers === undefined || headers === null) return { authorization };
  if (Array.isArray(headers)) return [...headers, "authorization", authorization];
  if (typeof headers[Symbol.iterator] === "function") return Object.fromEntries([...headers, ["authorization", authorization]]);
  return { ...headers, authorization };
};

// Undici of the suite.
setGlobalDispatcher(getGlobalDispatcher().compose((dispatch) => (options, handler) =>
  dispatch({ ...options, headers: withToken(options.headers) }, handler)));

// Node's own.
const bare = globalThis.fetch;
globalThis.fetch = (input, init = {}) => {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set("authorization", authorization);
  return bare(input, { ...init, headers });
};

// Requests with headers as they are written.
const plain = http.request;
http.request = (...args) => {
  const request = plain(...args);
  request.setHeader("authorization", authorization);
  return request;
};
syncBuiltinESMExports();
