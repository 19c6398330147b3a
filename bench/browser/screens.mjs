// Pictures of the page for README and docs, at laptop and phone size in both schemes.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const example = (name) => JSON.parse(readFileSync(join(root, `examples/${name}.json`), "utf8"));
const FOLDER = "/home/ada/src/api-gateway";
const SIZES = { laptop: { width: 1180, height: 760 }, phone: { width: 390, height: 780 } };

async function shoot(page, name, sizes) {
  for (const size of sizes) {
    await page.setViewportSize(SIZES[size]);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot({ path: join(root, `docs/page/${name}${size}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize(SIZES.laptop);
}

/** Takes the pictures on a signed-in page. */
export async function takePictures(server, page) {
  const ids = {};
  for (const name of ["rate-review", "onboard-service", "approve-command", "deploy"]) ids[name] = await server.ask(example(name), { folder: FOLDER });
  await page.goto(`${server.address}/a/${ids.deploy}`);
  await page.getByRole("radio", { name: "Staging" }).check();
  await page.getByText("✓ Saved").or(page.getByText(/^Saved /)).first().waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement?.blur?.());
  await shoot(page, "", ["laptop", "phone"]);
  await page.goto(`${server.address}/a/${ids["approve-command"]}`);
  await page.getByText("May I delete them?").waitFor();
  await shoot(page, "approval-", ["laptop", "phone"]);
  await page.goto(`${server.address}/`);
  await page.locator(".row").nth(3).waitFor();
  await shoot(page, "inbox-", ["phone"]);
}
