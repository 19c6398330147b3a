// A press that began must end on the control that it began on: whatever appears meanwhile would move that away.
let isPressed = false;

addEventListener("pointerdown", ({ button }) => { isPressed = button === 0; }, { capture: true, passive: true });
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => { isPressed = false; }, { capture: true, passive: true });
}

/** Does something once no press is under way, and after the click that it becomes. */
export function afterPress(work: () => void): void {
  if (!isPressed) {
    work();
    return;
  }
  const ended = new AbortController();
  const run = () => {
    ended.abort();
    setTimeout(work);
  };
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, run, { capture: true, signal: ended.signal });
}
