// Numbers, dates and times in order.
import type { Answer, KindName } from "../../../schemas/sayso/request.ts";

/** A decimal number: `digits` · 10^-`scale`. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** Longest number that is exact at the desk, in digits. */
const MOST_DIGITS = 28;

/** Reads a decimal number, `-12.50`. */
export function parseDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  const [, sign = "", whole = "", part = "", exponent = "0"] = match ?? [];
  if (match === null || whole + part === "") return undefined;
  let digits = BigInt(whole + part);
  let scale = part.length - Number(exponent);
  while (scale < 0) {
    digits *= 10n;
    scale += 1;
  }
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  if (digits.toString().length > MOST_DIGITS || scale > MOST_DIGITS) return undefined;
  return { digits: sign === "-" ? -digits : digits, scale };
}

function aligned(one: Decimal, other: Decimal): [bigint, bigint] {
  const scale = Math.max(one.scale, other.scale);
  const at = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  return [at(one), at(other)];
}

/** Writes a number as a JSON number, or as its digits where JSON is not exact. */
export function writeNumber(text: string): number | string | undefined {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return undefined;
  const number = Number(text);
  const read = parseDecimal(number);
  return read !== undefined && order(read, decimal) === 0 ? number : text.trim();
}

/** Returns true if a number is a multiple of another. */
export function isMultiple(value: unknown, step: unknown): boolean {
  const [number, base] = [parseDecimal(value), parseDecimal(step)];
  if (number === undefined || base === undefined || base.digits === 0n) return true;
  const [one, other] = aligned(number, base);
  return one % other === 0n;
}

function order(one: Decimal, other: Decimal): number {
  const [left, right] = aligned(one, other);
  return left < right ? -1 : left > right ? 1 : 0;
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

function compareText(one: string | undefined, other: string | undefined): number | undefined {
  if (one === undefined || other === undefined) return undefined;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Compares an answer with a value; `undefined` if the two have no order. */
export function compareAnswer(kind: KindName, answer: Answer, value: unknown): number | undefined {
  if ("number" in answer || "rating" in answer) {
    if (kind !== "number" && typeof value === "string") return undefined;
    const [one, other] = [parseDecimal("number" in answer ? answer.number : answer.rating), parseDecimal(value)];
    return one === undefined || other === undefined ? undefined : order(one, other);
  }
  if (typeof value !== "string") return undefined;
  if ("date" in answer) return compareText(parseDate(answer.date), parseDate(value));
  if ("time" in answer) return compareText(parseTime(answer.time), parseTime(value));
  if (!("datetime" in answer)) return undefined;
  const [one, other] = [parseMoment(answer.datetime), parseMoment(value)];
  if (one?.instant !== undefined && other?.instant !== undefined) return Math.sign(one.instant - other.instant);
  return compareText(one?.local, other?.local);
}
