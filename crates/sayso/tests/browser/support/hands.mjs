// The three ways in which a person answers: with a mouse, with the keyboard alone, and with a finger. They work on the
// element in any page, since selectors reach into its shadow root.

/** Runs in the page: the focused element, in whichever shadow root. */
const FOCUSED = `(() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
})()`;

const group = (page, words) => page.getByRole("radiogroup", { name: words, exact: true }).or(page.getByRole("group", { name: words, exact: true }));
const box = (page, words) => page.getByLabel(words, { exact: true })
  .and(page.locator("textarea, select, input:not([type=radio], [type=checkbox])")).first();
/** The words of an item: a scale shows none, its buttons are the inputs. */
const item = (page, words, role, name) => group(page, words).getByRole(role, { name, exact: true });

/** Answers with a mouse or with a finger; `press` is a click or a tap. */
async function point(page, steps, press) {
  for (const [, words, control, answer] of steps) {
    if (control === "radio" || control === "checkbox") {
      for (const name of [answer].flat()) await press(item(page, words, control, name));
      continue;
    }
    await press(box(page, words));
    if (control === "menu") await box(page, words).selectOption({ label: answer });
    else if (control === "box") await page.keyboard.type(answer);
    // The picker of a date belongs to the browser, not to the page.
    else await box(page, words).fill(answer);
  }
}

/** What is focused: the id of its question, its name, and what hides it from a person. */
function focused(page) {
  return page.evaluate(`(() => {
    const one = ${FOCUSED};
    if (!one || one === document.body) return { id: "", name: "" };
    const words = one.getAttribute("aria-label") ?? one.labels?.[0]?.innerText ?? one.innerText ?? "";
    const rect = (one.matches("[type=radio]") ? one.closest("label") : one).getBoundingClientRect();
    const [x, y] = [rect.x + rect.width / 2, rect.y + Math.min(rect.height / 2, 8)];
    let above = document.elementFromPoint(x, y);
    while (above?.shadowRoot) {
      const inner = above.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === above) break;
      above = inner;
    }
    const isSeen = above && (one.contains(above) || above.contains(one) || one.closest("label")?.contains(above));
    return {
      id: one.closest("[data-id]")?.dataset.id ?? "", name: words.trim().split("\\n")[0],
      tag: one.localName, type: one.type ?? "", checked: one.checked === true, hidden: isSeen ? "" : \`\${one.outerHTML.slice(0, 80)} behind \${above?.outerHTML.slice(0, 80)}\`,
    };
  })()`);
}

/** Presses Tab until this is so; throws if the focus goes behind something. */
async function tabTo(page, what, isThere, key = "Tab") {
  for (let count = 0; count < 120; count += 1) {
    let now = await focused(page);
    // WebKit scrolls to what has the focus with its next frame.
    if (now.hidden) await page.waitForTimeout(100);
    if (now.hidden) now = await focused(page);
    if (now.hidden) throw new Error(`the focus is hidden: ${now.hidden}`);
    if (isThere(now)) return now;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not reach ${what}`);
}

const DATE_KEYS = {
  date: ([year, month, day]) => [`${month}${day}${year}`],
  time: ([hour, minute]) => [`${String(((hour + 11) % 12) + 1).padStart(2, "0")}${minute}${hour < 12 ? "AM" : "PM"}`],
};
/** Keys for a native control of an American: month, day, year, hour, minute, half of the day. */
function dateKeys(control, answer) {
  const [date, time] = control === "time" ? [undefined, answer] : answer.split("T");
  const keys = date === undefined ? [] : DATE_KEYS.date(date.split("-"));
  if (time === undefined) return keys;
  const [hour, minute] = time.split(":");
  return [...keys, ...DATE_KEYS.time([Number(hour), minute])];
}

async function typeKeys(page, steps) {
  // A year has six digits in Chromium, so that one of four does not lead on.
  const leadsOn = !(await page.evaluate("navigator.userAgent")).includes("Chrome");
  const press = (key) => page.keyboard.press(key);
  for (const [id, words, control, answer] of steps) {
    if (control === "radio") {
      await tabTo(page, words, (now) => now.id === id && now.tag === "input");
      await press("Space");
      for (let count = 0; (await focused(page)).name !== answer && count < 20; count += 1) await press("ArrowDown");
    } else if (control === "checkbox") {
      for (const [index, name] of answer.entries()) {
        // What comes before in the list is reached backwards.
        await tabTo(page, name, (now) => now.id === id && now.name === name, index > 0 ? "Shift+Tab" : "Tab");
        await press("Space");
      }
    } else {
      const { type } = await tabTo(page, words, (now) => now.id === id && ["input", "textarea", "select"].includes(now.tag));
      const isTyped = control === "box" || control === "menu" || type === "text";
      const keys = isTyped ? [answer] : dateKeys(control, answer);
      for (const [index, part] of keys.entries()) {
        if (index > 0 && !leadsOn) await press("ArrowRight");
        await page.keyboard.type(part);
      }
    }
  }
}

/** Presses a button with the keyboard alone. */
async function pressButton(page, name) {
  await tabTo(page, name, (now) => now.tag === "button" && now.name === name);
  await page.keyboard.press("Enter");
}

const button = (page, name) => page.getByRole("button", { name, exact: true });

/** Each way: it answers, and it presses a button. */
export const HANDS = {
  mouse: { answer: (page, steps) => point(page, steps, (one) => one.click()), press: (page, name) => button(page, name).click() },
  keyboard: { answer: typeKeys, press: pressButton },
  touch: { answer: (page, steps) => point(page, steps, (one) => one.tap()), press: (page, name) => button(page, name).tap() },
};

/** Returns the targets that are smaller than `least` pixels, in whichever shadow root. */
export function smallTargets(page, least) {
  return page.evaluate((most) => {
    const found = [];
    const visit = (root) => {
      for (const one of root.querySelectorAll("*")) {
        if (one.shadowRoot) visit(one.shadowRoot);
        if (!one.matches("a[href], button, input, select, textarea, summary") || !one.checkVisibility()) continue;
        const target = one.matches("[type=radio], [type=checkbox]") ? one.closest("label") ?? one : one;
        const { width, height } = target.getBoundingClientRect();
        if (width > 1 && (width < most || height < most)) found.push(`${one.outerHTML.slice(0, 90)}: ${Math.round(width * 10) / 10} × ${Math.round(height * 10) / 10}`);
      }
    };
    visit(document);
    return found;
  }, least - 0.5);
}
