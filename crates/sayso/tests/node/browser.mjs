// The browser that the tests of one process share: prints its address, and ends with its standard input.
// Usage: browser.mjs CHROMIUM
import { chromium } from "playwright-core";

const args = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const server = await chromium.launchServer({ executablePath: process.argv[2], args });
process.stdout.write(`${server.wsEndpoint()}\n`);
for await (const _ of process.stdin);
await server.close();
