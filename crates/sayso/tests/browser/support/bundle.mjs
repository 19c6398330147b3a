// Bundles sources of the element for Node.
import { resolve } from "node:path";
import { build } from "esbuild";

/** The root of the repository. */
export const root = resolve(import.meta.dirname, "../../../../..");

/** Imports what a module exports that is written here, with paths from the root. */
export async function bundle(contents) {
  const { outputFiles: [{ text }] } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true, format: "esm", platform: "node", write: false, charset: "utf8", loader: { ".css": "empty" },
  });
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}
