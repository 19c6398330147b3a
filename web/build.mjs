// Makes everything under dist/ and prints it as JSON: {"files": {path: text}}. `cargo xtask codegen` writes and checks it.
// Standard input: {"sources": {path: text}}, the generated sources, which may be newer than those on the disk.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { build, transform } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const { sources } = JSON.parse(readFileSync(0, "utf8"));
const files = {};

const fresh = {
  name: "fresh",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = sources[relative(root, path)];
      return contents === undefined ? undefined : { contents, loader: "ts" };
    });
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true, charset: "utf8" });
      return { contents: code.trim(), loader: "text" };
    });
  },
};
/** The page's modules share the module that holds the key of the session: it is read while they still load. */
const sharesSession = {
  name: "session",
  setup({ onResolve }) {
    onResolve({ filter: /\/session\.ts$/ }, ({ kind }) => (kind === "entry-point" ? undefined : { path: "/session.js", external: true }));
    onResolve({ filter: /^\/sayso-questionnaire\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};
const settings = {
  absWorkingDir: root, bundle: true, minify: true, target: "es2023", charset: "utf8", legalComments: "none",
  write: false, outdir: "web/dist", plugins: [fresh],
};
/** Names of our own objects' members, which no page, request or reply has: the bundle has shorter ones. */
const mangleProps = /^(labelledBy|describedBy|unreadable|isAsked|isRequired|wholeProblem|asksConsent|byId|locked|prefilled|judged|told|notices|refuse|refused|skipped|completion|instant|primary|focusSummary|focusStep|root|show|group|invalid|problem|place|current|section|depth|consent|parent|frame|view|isPermission|unjudged)$/;
const bundles = [
  { ...settings, mangleProps, entryPoints: ["web/src/sayso-questionnaire.ts"], format: "iife", sourcemap: "linked" },
  { ...settings, entryPoints: ["web/formats/interaction.ts", "web/formats/interrupt.ts"], format: "esm" },
  { ...settings, plugins: [fresh, sharesSession], entryPoints: { page: "web/page/main.ts", session: "web/page/desk/session.ts" }, format: "esm" },
  { ...settings, entryPoints: { worker: "web/page/worker.ts" }, format: "iife" },
  { ...settings, entryPoints: { page: "web/page/page.css" }, plugins: [] },
];
for (const { outputFiles } of await Promise.all(bundles.map((bundle) => build(bundle)))) {
  for (const { path, text } of outputFiles) files[relative(root, path)] = text;
}

// The page of an ask in a conversation: one file, since its sandbox loads no other.
const inlined = await Promise.all(["main.ts", "app.css"].map((name) => build({ ...settings, entryPoints: [`web/app/${name}`], format: "iife", plugins: name.endsWith(".ts") ? [fresh] : [] })));
const [script, style] = inlined.map(({ outputFiles }) => outputFiles[0].text.trim());
files["web/dist/ask.html"] = readFileSync(join(root, "web/app/shell.html"), "utf8")
  .replace("/* style */", () => style)
  // The end of the element begins with this word, also in a text of the script.
  .replace("/* script */", () => script.replaceAll("</script", "<\\/script"));

// The declarations: schemas as they are, the others by the compiler.
for (const name of ["request", "outcome"]) files[`web/dist/${name}.d.ts`] = readFileSync(join(root, `schemas/sayso/${name}.ts`), "utf8");
const folder = mkdtempSync(join(tmpdir(), "sayso-types-"));
try {
  const declared = { "web/src/api.ts": "sayso-questionnaire", "web/formats/interaction.ts": "interaction", "web/formats/interrupt.ts": "interrupt" };
  const config = {
    extends: join(root, "web/tsconfig.json"), include: [], files: Object.keys(declared).map((path) => join(root, path)),
    compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: root, outDir: folder },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(`tsc: ${stdout}${stderr}`);
  for (const [path, name] of Object.entries(declared)) {
    const text = readFileSync(join(folder, path.replace(/\.ts$/, ".d.ts")), "utf8");
    files[`web/dist/${name}.d.ts`] = text
      .replaceAll(/"\.\.\/\.\.\/schemas\/sayso\/(\w+)\.ts"/g, '"./$1.js"')
      .replaceAll(/"\.\.\/src\/api\.ts"/g, '"./sayso-questionnaire.js"');
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.stdout.write(JSON.stringify({ files }));
