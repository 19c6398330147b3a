// A desk of its own with its server on a terminal, which shows the code that signs a browser in.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts `sayso serve`. */
export async function startServer(program) {
  const folder = mkdtempSync(join(tmpdir(), "sayso-browser-"));
  const env = { PATH: process.env.PATH, HOME: folder, USER: "ada", LANG: "C.UTF-8", TERM: "xterm" };
  execFileSync(program, ["token", "new", "--role", "asker", "--account", "release-bot", "--out", join(folder, "token")], { env, stdio: "ignore" });
  const token = readFileSync(join(folder, "token"), "utf8").trim().split(" ").at(-1);
  const command = `${JSON.stringify(program)} serve --listen 127.0.0.1:0 --rate 0 --asks-per-hour 0`;
  const terminal = spawn("script", ["-qfec", command, "/dev/null"], { env, stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  await new Promise((done, fail) => {
    terminal.on("exit", () => fail(new Error(text)));
    terminal.stdout.on("data", (piece) => {
      text += piece;
      if (text.includes("minutes.")) done();
    });
  });
  const words = text.replaceAll(/\s+/g, " ");
  const port = /http:\/\/[^ ]*?:(\d+)/.exec(words)[1];
  const address = `http://localhost:${port}`;
  const ask = async (request, from = {}) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const reply = await fetch(`${address}/v1/asks`, { method: "POST", headers, body: JSON.stringify({ request, from }) });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()).id;
  };
  const stop = () => {
    terminal.removeAllListeners("exit");
    terminal.stdin.write("\x03");
    terminal.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  };
  return { address, code: /with the code ([^ ]+?)\.? /.exec(words)[1], ask, stop };
}
