import { say } from "./words.ts";

/** Shows the number of waiting asks in the title, on the icon of the tab and on that of the installed page. */
export function showWaiting(count: number, more: boolean): void {
  const number = more ? `${count}+` : String(count);
  document.title = count > 0 ? say("WindowTitle", number) : say("WindowTitleAlone");
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const address = count > 0 ? `/icon.svg?waiting=${Math.min(count, 99)}` : "/icon.svg";
  if (icon && icon.getAttribute("href") !== address) icon.href = address;
  const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  // A browser may refuse the badge of a page that is not installed.
  void shown?.catch(() => undefined);
}
