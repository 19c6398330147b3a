// Numbers, dates and times in order.
import type { Answer, KindName } from "../../../schemas/sayso/request.ts";

/** Decimal places of an exact number. */
const PLACES = 28;
const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** Returns a number as a whole number of the smallest places, so that it is exact; `undefined` for anything else. */
export function exactNumber(value: unknown): bigint | undefined {
  const [, sign = "", whole = "", part = "", exponent = "0"] = NUMBER.exec(String(value).trim()) ?? [];
  const shift = PLACES - part.length + Number(exponent);
  const isNumber = whole + part !== "" && shift >= 0 && shift <= 2 * PLACES;
  return isNumber ? BigInt(sign + whole + part) * 10n ** BigInt(shift) : undefined;
}

/** Writes a number as a JSON number, or as its digits where JSON is not exact. */
export function writeNumber(text: string): number | string | undefined {
  const number = exactNumber(text);
  return number === undefined ? undefined : exactNumber(Number(text)) === number ? Number(text) : text.trim();
}

/** Returns true if a number is a multiple of another. */
export function isMultiple(value: unknown, step: unknown): boolean {
  const [number, base] = [exactNumber(value), exactNumber(step)];
  return number === undefined || !base || number % base === 0n;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d?):(\d\d)(?::(\d\d)(\.\d{1,9})?)?$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|z|[+-]\d\d(?::?\d\d)?)?$/;

/** Reads a day, and returns it in its ISO form. */
export function parseDate(text: string): string | undefined {
  const match = DAY.exec(text.trim());
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? text.trim() : undefined;
}

/** Reads a time of day, and returns it with seconds. */
export function parseTime(text: string): string | undefined {
  const match = TIME.exec(text.trim());
  if (match === null) return undefined;
  const [, hour = "", minute = "", second = "00", fraction = ""] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  return `${hour.padStart(2, "0")}:${minute}:${second === "60" ? "59" : second}${fraction}`;
}

interface Moment {
  local: string;
  /** Milliseconds since 1970, if it has an offset. */
  instant: number | undefined;
}

/** Reads a day with a time of day. */
export function parseMoment(text: string): Moment | undefined {
  const [, day = "", time = "", offset] = MOMENT.exec(text.trim()) ?? [];
  const [date, clock] = [parseDate(day), parseTime(time)];
  if (date === undefined || clock === undefined) return undefined;
  const local = `${date}T${clock}`;
  if (offset === undefined) return { local, instant: undefined };
  const [hours, minutes] = [Number(offset.slice(1, 3)) || 0, Number(offset.slice(3).replace(":", "")) || 0];
  const shift = (hours * 60 + minutes) * (offset.startsWith("-") ? -60_000 : 60_000);
  return { local, instant: Date.parse(`${local.slice(0, 23)}Z`) - shift };
}

function order<Value extends string | bigint>(one: Value | undefined, other: Value | undefined): number | undefined {
  if (one === undefined || other === undefined) return undefined;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Compares an answer with a value; `undefined` if the two have no order. */
export function compareAnswer(kind: KindName, answer: Answer, value: unknown): number | undefined {
  if ("number" in answer || "rating" in answer) {
    if (kind !== "number" && typeof value === "string") return undefined;
    return order(exactNumber("number" in answer ? answer.number : answer.rating), exactNumber(value));
  }
  if (typeof value !== "string") return undefined;
  if ("date" in answer) return order(parseDate(answer.date), parseDate(value));
  if ("time" in answer) return order(parseTime(answer.time), parseTime(value));
  if (!("datetime" in answer)) return undefined;
  const [one, other] = [parseMoment(answer.datetime), parseMoment(value)];
  if (one?.instant !== undefined && other?.instant !== undefined) return Math.sign(one.instant - other.instant);
  return order(one?.local, other?.local);
}
