/** A deadline that is nearer than this is shown as urgent. */
export const SOON_MS = 10 * 60_000;

/** Returns what a function makes for the language of the page, made once: formats of `Intl` take long to make. */
function once<Format>(make: (lang: string) => Format): () => Format {
  let kept: Format | undefined;
  return () => (kept ??= make(document.documentElement.lang));
}

const relativeFormat = once((lang) => new Intl.RelativeTimeFormat(lang, { numeric: "auto", style: "short" }));
const clockFormat = once((lang) => new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit" }));
const momentFormat = once((lang) => new Intl.DateTimeFormat(lang, {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
}));

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** Returns a time relative to now, in the language of the page: «2 minutes ago». */
export function relative(time: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1_000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", Infinity];
  return relativeFormat().format(Math.trunc(seconds / size) + 0, unit);
}

/** Returns the time of day, for example of a save. */
export function clock(time: Date): string {
  return clockFormat().format(time);
}

/** Returns day and time in the person's time zone, with the zone's name. */
export function moment(time: string): string {
  return momentFormat().format(new Date(time));
}

/** Creates a `time` element with a relative time and the exact one as its title. */
export function timeElement(time: string): HTMLTimeElement {
  const element = document.createElement("time");
  element.dateTime = time;
  element.title = moment(time);
  element.textContent = relative(time);
  return element;
}

/** Renews all relative times below a node. */
export function renewTimes(root: ParentNode): void {
  for (const element of root.querySelectorAll("time")) element.textContent = relative(element.dateTime);
}
