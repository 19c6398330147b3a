// Runs the extension of pi as pi does: registers its tool, and calls it. Arguments: a copy of the extension, and the tool's
// arguments as JSON. Prints the tool's name, the types of question in its schema, and its result.
import { pathToFileURL } from "node:url";

const [extension, params] = process.argv.slice(2);
const { default: register } = await import(pathToFileURL(extension));
const tools = [];
register({ registerTool: (tool) => tools.push(tool) });
const [tool] = tools;
console.log(tool.name, Object.keys(tool.parameters.$defs).filter((name) => /.Question$/.test(name)).join(" "));
const result = await tool.execute("call_1", JSON.parse(params), undefined, undefined, { cwd: process.cwd() });
console.log(result.content[0].text);
