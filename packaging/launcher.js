#!/usr/bin/env node
// Starts the program of this platform's package. Signals go to it, since hosts end MCP servers by them.
const { spawn } = require("node:child_process");
const { basename } = require("node:path");

const name = `sayso-desk-cli-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/sayso`);
} catch {
  console.error(`sayso: there is no package ${name}. Sayso runs on Linux with glibc, on x64 and arm64.`);
  process.exit(1);
}
const called = basename(process.argv[1]).replace(/\.js$/, "");
const argv0 = ["auq", "AskUserQuestion"].includes(called) ? called : "sayso";
const child = spawn(program, process.argv.slice(2), { argv0, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`sayso: ${error.message}`);
  process.exit(126);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const one of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(one);
  process.kill(process.pid, signal);
});
