// Pages that show the questionnaire and nothing else: with our element, with SurveyJS, and with A2UI's Lit renderer. Each is one script and at
// most one style sheet, bundled and minified by esbuild.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { a2ui, sayso, survey } from "./questionnaire.mjs";

const here = import.meta.dirname;
const require = createRequire(import.meta.url);
const versionOf = (name) => JSON.parse(readFileSync(resolve(here, "node_modules", name, "package.json"), "utf8")).version;

async function bundle(contents) {
  const { outputFiles: [{ text }] } = await build({
    stdin: { contents, resolveDir: here }, bundle: true, minify: true, format: "iife", target: "es2023", write: false, logLevel: "error",
  });
  return text;
}

const root = resolve(here, "../..");
const ours = `${readFileSync(`${root}/web/dist/sayso-questionnaire.js`, "utf8")}
const element = document.createElement("sayso-questionnaire");
element.request = ${JSON.stringify(sayso)};
document.body.append(element);`;

const surveyStyle = () => readFileSync(resolve(dirname(require.resolve("survey-core")), "survey-core.min.css"), "utf8");
const surveyScript = `import { Model } from "survey-core";
import { renderSurvey } from "survey-js-ui";
const root = document.createElement("div");
document.body.append(root);
renderSurvey(new Model(${JSON.stringify(survey)}), root);`;

const a2uiScript = `import { basicCatalog } from "@a2ui/lit/v0_9";
import { MessageProcessor } from "@a2ui/web_core/v0_9";
const processor = new MessageProcessor([basicCatalog]);
processor.onSurfaceCreated((surface) => {
  const shown = document.createElement("a2ui-surface");
  shown.surface = surface;
  document.body.append(shown);
});
const version = "v0.9";
processor.processMessages([
  { version, createSurface: { surfaceId: "main", catalogId: basicCatalog.id } },
  { version, updateDataModel: { surfaceId: "main", path: "/", value: ${JSON.stringify(a2ui.data)} } },
  { version, updateComponents: { surfaceId: "main", components: ${JSON.stringify(a2ui.components)} } },
]);`;

/** Returns the pages: name, script, style, and their size after gzip. */
export async function pages(withPeers) {
  const found = [{ name: "<sayso-questionnaire> alone", script: ours, style: "" }];
  if (withPeers) {
    found.push({ name: `SurveyJS ${versionOf("survey-core")} (survey-core, survey-js-ui)`, script: await bundle(surveyScript), style: surveyStyle() });
    found.push({ name: `A2UI ${versionOf("@a2ui/lit")} (Lit renderer)`, script: await bundle(a2uiScript), style: "" });
  }
  const size = (text) => (text === "" ? 0 : gzipSync(text, { level: 9 }).length);
  return found.map((page) => ({ ...page, bytes: size(page.script) + size(page.style) }));
}
