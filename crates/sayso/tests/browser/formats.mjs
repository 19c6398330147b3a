// Translates requests and replies as a page without a desk does, with the modules of `web/dist`.
// Standard input: {dialect: [{request, replies}]}; standard output: {dialect: [{sayso, answers}]}.
import { readFileSync } from "node:fs";
import { root } from "./support/bundle.mjs";

const modules = { interaction: "toInput", interrupt: "toResume" };
const told = {};
for (const [dialect, cases] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const module = await import(`${root}/web/dist/${dialect}.js`);
  told[dialect] = cases.map(({ request, replies }) => {
    const sayso = module.toSayso(request);
    const asked = dialect === "interrupt" ? request : sayso;
    return { sayso, answers: replies.map((one) => module[modules[dialect]](asked, one)) };
  });
}
process.stdout.write(JSON.stringify(told));
