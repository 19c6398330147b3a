// Judges texts by generated Zod schemas. On standard input: [{"module": path, "schema": name, "texts": [text]}].
// On standard output: for each of them a list that says of each text whether it is JSON that fits.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const fits = (schema, text) => {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  return schema.safeParse(value).success;
};

const verdicts = [];
for (const { module, schema, texts } of JSON.parse(readFileSync(0, "utf8"))) {
  const schemas = await import(pathToFileURL(module));
  if (schemas[schema] === undefined) throw new Error(`${module} exports no ${schema}`);
  verdicts.push(texts.map((text) => fits(schemas[schema], text)));
}
process.stdout.write(JSON.stringify(verdicts));
