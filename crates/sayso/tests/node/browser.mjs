// A browser that tests share: prints its address, and ends with its standard input.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const args = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const executablePath = process.env.PATH.split(":").map((folder) => `${folder}/chromium`).find(existsSync);
if (!executablePath) throw new Error("chromium is missing: run `cargo xtask setup`");
const server = await chromium.launchServer({ executablePath, args });
process.stdout.write(`${server.wsEndpoint()}\n`);
for await (const _ of process.stdin);
await server.close();
