// One peer, one row: `node run.mjs LIBRARY ROW FILE [--quick]`. Reports as one line of JSON.
//
// FILE is a list of `{name, request, valid, broken}`, all but the name JSON texts, `broken` a list of them.
// A peer exports `requests` (a checker by dialect) and `form` (a checker built from a questionnaire); a checker says
// whether it accepts a value.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { measure } from "./measure.mjs";

const [library, row, file, switchQuick] = process.argv.slice(2);
const quick = switchQuick === "--quick";
const require = createRequire(import.meta.url);
const peer = await import(`./${library}.mjs`);
const packageOf = { zod: "zod", valibot: "valibot", ajv: "ajv", survey: "survey-core" }[library];

/** Fails unless the right sample is accepted and every broken one refused. */
function guard(name, accepts, valid, broken) {
  if (!accepts(valid)) throw new Error(`${library} refuses the right sample of ${name}`);
  for (const text of broken) {
    if (accepts(text)) throw new Error(`${library} accepts a broken sample of ${name}: ${text.slice(0, 200)}`);
  }
}

let accepted = 0;
const count = (verdict) => {
  if (!verdict) throw new Error("the sample is right");
  accepted += 1;
};

const rows = {
  // Text to a verdict, the schema at hand.
  requests({ name, valid, broken }) {
    const check = peer.requests[name];
    guard(name, (text) => check(JSON.parse(text)), valid, broken);
    return measure(() => count(check(JSON.parse(valid))), quick);
  },
  // A questionnaire at hand to its schema, and one set of answers at hand to a verdict.
  first({ name, request, valid, broken }) {
    const answers = JSON.parse(valid);
    guard(name, (text) => peer.form(JSON.parse(request))(JSON.parse(text)), valid, broken);
    const questionnaire = JSON.parse(request);
    return measure(() => count(peer.form(questionnaire)(answers)), quick, peer.forget);
  },
  // Both texts to a verdict: the questionnaire is checked as a request where the peer can, as we do.
  whole({ name, request, valid, broken }) {
    const accepts = (text) => {
      const questionnaire = JSON.parse(request);
      if (peer.requests.sayso && !peer.requests.sayso(questionnaire)) return false;
      return peer.form(questionnaire)(JSON.parse(text));
    };
    guard(name, accepts, valid, broken);
    return measure(() => count(accepts(valid)), quick, peer.forget);
  },
};

const cases = {};
for (const sample of JSON.parse(readFileSync(file, "utf8"))) cases[sample.name] = rows[row](sample);
const version = JSON.parse(readFileSync(require.resolve(`./node_modules/${packageOf}/package.json`))).version;
process.stdout.write(JSON.stringify({ peer: `${packageOf} ${version}`, runtime: `Node ${process.version}`, cases }));
