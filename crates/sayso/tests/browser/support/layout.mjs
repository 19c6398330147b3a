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
        // A row of the inbox is one line; its title has the whole.
        if (one.matches("a.row[title] .row-title, a.row[title] .row-from")) continue;
        if (overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1) found.push(`cut sideways: ${name(one)}`);
        if (/hidden|clip/.test(overflowY) && one.scrollHeight > one.clientHeight + 1) found.push(`cut below: ${name(one)}`);
      }
    };
    visit(document);
    return found;
  });
}
