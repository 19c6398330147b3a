// The layout of a page: what a person cannot see of it without scrolling sideways.

/** Returns what sticks out of the page, or is cut off by its own box, in whichever shadow root. */
export function cutOff(page) {
  return page.evaluate(() => {
    const found = [];
    const name = (one) => one.outerHTML.slice(0, 100);
    const excess = document.scrollingElement.scrollWidth - innerWidth;
    if (excess > 0) found.push(`the page is ${excess} px too wide`);
    const visit = (root) => {
      for (const one of root.querySelectorAll("*")) {
        if (one.shadowRoot) visit(one.shadowRoot);
        const { width, height, left, right } = one.getBoundingClientRect();
        // What only a screen reader sees is a pixel; controls scroll what is in them.
        if (width <= 1 || height <= 1 || !one.checkVisibility({ visibilityProperty: true }) || one.matches("input, textarea, select, option")) continue;
        if (one.closest(".skip:not(:focus)")) continue;
        if (left < -0.5 || right > innerWidth + 0.5) found.push(`from ${Math.round(left)} to ${Math.round(right)}: ${name(one)}`);
        const { overflowX, overflowY, display } = getComputedStyle(one);
        if (display === "inline") continue;
        // A row of the inbox and the link to the next ask are one line; their title has the whole.
        if (one.matches("a.row[title] .row-title, a.row[title] .row-from, .next a[title] bdi")) continue;
        if (overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1) found.push(`cut sideways: ${name(one)}`);
        if (/hidden|clip/.test(overflowY) && one.scrollHeight > one.clientHeight + 1) found.push(`cut below: ${name(one)}`);
      }
    };
    visit(document);
    return found;
  });
}

/** Returns the boxes that are not mirrored from right to left. */
export function notMirrored(page) {
  return page.evaluate(() => {
    const boxes = () => {
      const found = [];
      const visit = (root) => {
        for (const one of root.querySelectorAll("*")) {
          if (one.shadowRoot) visit(one.shadowRoot);
          const { left, right, width, height } = one.getBoundingClientRect();
          // Where text goes by its own letters, so does what is in it.
          if (width <= 1 || height <= 1 || one.parentElement?.closest("[dir=auto], pre, svg") || getComputedStyle(one).display === "inline") continue;
          found.push([one, left, right]);
        }
      };
      visit(document);
      return found;
    };
    const width = document.documentElement.clientWidth;
    const before = boxes();
    document.documentElement.dir = "rtl";
    const after = new Map(boxes().map(([one, left, right]) => [one, [width - right, width - left]]));
    document.documentElement.dir = "ltr";
    const wrong = before.filter(([one, left, right]) => {
      const [l = left, r = right] = after.get(one) ?? [];
      return Math.abs(l - left) > 1.5 || Math.abs(r - right) > 1.5;
    });
    return wrong.map(([one, left, right]) => `${Math.round(left)} to ${Math.round(right)}, mirrored ${after.get(one).map(Math.round)}: ${one.outerHTML.slice(0, 100)}`);
  });
}

/** Moves the focus through a page and back, and returns what has it and is hidden: by a bar, or outside the window. */
export function hiddenFocus(page) {
  return page.evaluate(async () => {
    const targets = [];
    const collect = (root) => {
      for (const one of root.querySelectorAll("*")) {
        if (one.shadowRoot) collect(one.shadowRoot);
        if (one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true })) targets.push(one);
      }
    };
    collect(document);
    const isWithin = (outer, inner) => {
      for (let node = inner; node; node = node.parentNode ?? node.host) if (node === outer) return true;
      return false;
    };
    const isAt = (one, x, y) => {
      let hit = document.elementFromPoint(x, y);
      for (let inner = hit?.shadowRoot?.elementFromPoint(x, y); inner && inner !== hit; inner = hit.shadowRoot?.elementFromPoint(x, y)) hit = inner;
      return hit !== null && (isWithin(one, hit) || isWithin(hit, one));
    };
    const isSeen = (one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return [left + 3, (left + right) / 2, right - 3].some((x) => [top + 3, (top + bottom) / 2, bottom - 3].some((y) => isAt(one, x, y)));
    };
    const found = new Set();
    for (const one of [...targets, ...targets.toReversed()]) {
      // What has the focus already is not scrolled to.
      one.blur();
      one.focus();
      // Behind a dialog nothing takes the focus; the link to the content shows itself in a window that is in front.
      if (one.getRootNode().activeElement !== one || one.matches(".skip")) continue;
      // Some browsers scroll smoothly.
      const until = performance.now() + 2_000;
      while (!isSeen(one) && performance.now() < until) await new Promise((done) => setTimeout(done, 20));
      if (!isSeen(one)) found.add(one.outerHTML.slice(0, 100));
    }
    return [...found];
  });
}

/** Widens the space between lines, words, letters and paragraphs as WCAG 1.4.12 says, or takes that back. */
export async function spaceText(page, isOn) {
  await page.evaluate((wanted) => {
    globalThis.spacing ??= new CSSStyleSheet();
    globalThis.spacing.replaceSync(wanted ? "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }" : "");
    const visit = (root) => {
      if (!root.adoptedStyleSheets.includes(globalThis.spacing)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, globalThis.spacing];
      for (const one of root.querySelectorAll("*")) if (one.shadowRoot) visit(one.shadowRoot);
    };
    visit(document);
  }, isOn);
}

/** Returns what stays in place while the page is scrolled and hides more than a third of the window. */
export function tallBars(page) {
  return page.evaluate(() => [...document.querySelectorAll("body *")].filter((one) => {
    const { position } = getComputedStyle(one);
    // A column of its own may be as high as the window, and a dialog is closed before anything else is read.
    const isBar = one.getBoundingClientRect().width > innerWidth / 2 && !one.matches("dialog");
    return isBar && one.checkVisibility() && (position === "fixed" || position === "sticky") && one.offsetHeight > innerHeight / 3;
  }).map((one) => `${one.offsetHeight} of ${innerHeight} px: ${one.outerHTML.slice(0, 100)}`));
}
