// Prints the size of each bundle for embedding: its name, and its bytes after gzip.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { root } from "./bundle.mjs";

for (const name of ["sayso-questionnaire", "interaction", "interrupt"]) {
  console.log(`${name} ${gzipSync(readFileSync(`${root}/web/dist/${name}.js`), { level: 9 }).length}`);
}
