// Runs the plugin that `sayso setup opencode` writes on OpenCode's own screen: no server listens, so only the client that
// plugins get reaches OpenCode. Arguments: the plugin, and the event as JSON. Prints each reply that OpenCode gets.
import { pathToFileURL } from "node:url";

const [plugin, event] = process.argv.slice(2);
const { Sayso } = await import(pathToFileURL(plugin));
const asked = JSON.parse(event);

const fetch = async (request) => {
  const path = new URL(request.url).pathname;
  // As the list does while a web fetch without `timeout` waits.
  if (request.method === "GET") return new Response("Expected JSON value, got undefined", { status: 400 });
  console.log(request.headers.get("x-opencode-directory"), path, await request.text());
  return Response.json(true);
};
const config = { fetch, baseUrl: "http://localhost:4096", headers: new Headers({ "x-opencode-directory": "/srv" }) };
const client = { _client: { getConfig: () => config } };
const { event: handle } = await Sayso({ client, directory: "/srv", serverUrl: new URL("http://127.0.0.1:9") });
await handle({ event: asked });
