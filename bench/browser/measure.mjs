// What is measured in a page.

/** Runs before any script of a page: notes how long each key takes, long tasks, and the first rows of an inbox. */
export function watch() {
  const MICROTASKS = 50;
  const seen = { keys: [], events: [], tasks: [], rows: undefined };
  globalThis.measured = seen;
  let pressed = 0;
  addEventListener("keydown", () => { pressed = performance.now(); }, true);
  addEventListener("input", async () => {
    // Renderers do their work in microtasks, some in microtasks of microtasks.
    for (let turn = 0; turn < MICROTASKS; turn += 1) await undefined;
    // Reading a size makes the browser lay the page out.
    void document.documentElement.offsetHeight;
    seen.keys.push(performance.now() - pressed);
  });
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    const keys = list.getEntries().filter(({ name }) => /^key|^input|^beforeinput/.test(name));
    seen.events.push(...keys.map(({ duration }) => duration));
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  const rows = new MutationObserver(() => {
    if (document.querySelector(".rows .row") === null) return;
    rows.disconnect();
    void document.documentElement.offsetHeight;
    seen.rows = performance.now();
  });
  rows.observe(document, { childList: true, subtree: true });
}

/** Returns a value that this part of all does not exceed. */
export function at(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** Types into the middle of a questionnaire, and returns the times of the keys, and what Event Timing says. */
export async function typeKeys(page, count) {
  const boxes = page.locator("input[type=text]:visible, input:not([type]):visible, textarea:visible");
  await boxes.nth(30).waitFor();
  const box = boxes.nth(30);
  await box.click();
  await page.keyboard.type("warming up the page, ", { delay: 15 });
  await page.evaluate(() => { globalThis.measured.keys.length = 0; globalThis.measured.events.length = 0; });
  await page.keyboard.type("the quick brown fox jumps over it ".repeat(Math.ceil(count / 34)).slice(0, count), { delay: 25 });
  await page.waitForFunction((wanted) => globalThis.measured.keys.length >= wanted, count);
  // Event Timing reports after the next frames.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  const { keys, events } = await page.evaluate(() => globalThis.measured);
  // Three events a key; those below 16 ms are not reported.
  const timing = [...events, ...Array.from({ length: Math.max(0, count * 3 - events.length) }, () => 8)];
  return { keys, timing };
}

/** Returns the time of the first contentful paint. */
export async function firstPaint(page) {
  return page.evaluate(() => new Promise((done) => {
    new PerformanceObserver((list, observer) => {
      const [entry] = list.getEntriesByName("first-contentful-paint");
      if (entry === undefined) return;
      observer.disconnect();
      done(entry.startTime);
    }).observe({ type: "paint", buffered: true });
  }));
}
