import type { ParquetParsers } from "hyparquet"

/** Stands for text that is not UTF-8, until its row is made. */
const NOT_UTF8 = Symbol("not UTF-8")
const SECONDS_OF_DAY = 86_400n

/** Reads the types of Parquet that JSON lacks as text: times as in ISO 8601, in UTC, with all the digits they have. */
export const parquetParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (time) => orNothing(time, (given) => isoTime(given, 3)),
  timestampFromMicroseconds: (time) => orNothing(time, (given) => isoTime(given, 6)),
  timestampFromNanoseconds: (time) => orNothing(time, (given) => isoTime(given, 9)),
  dateFromDays: (days) => orNothing(days, (given) => isoTime(BigInt(given) * SECONDS_OF_DAY, 0).slice(0, 10)),
  stringFromBytes: (bytes) => orNothing(bytes, decode),
  jsonFromBytes: (bytes) => orNothing(bytes, (given) => parsedOr(decode(given))),
}

/**
 * A value of Parquet as JSON holds it: integers of 64 bits as the nearest number, as `JSON.parse` reads their digits; NaN
 * and infinities as null; bytes that are no text in base64.
 * @throws `RangeError` that says what can't be read
 */
export function parquetToJson(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (value === NOT_UTF8) throw new RangeError("text that is not UTF-8")
  if (typeof value === "bigint") return Number(value)
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value !== "object") return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64")
  if (Array.isArray(value)) return value.map(parquetToJson)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, parquetToJson(part)]))
}

/** Parsers are asked for absent values too, whatever their types say. */
function orNothing<T>(value: T | undefined, parse: (value: T) => unknown): unknown {
  return value === undefined || value === null ? undefined : parse(value)
}

/** `time` counts in units of 10^-digits seconds since 1970. */
function isoTime(time: bigint | number, digits: number): string {
  const unit = 10n ** BigInt(digits)
  const given = BigInt(time)
  const fraction = ((given % unit) + unit) % unit
  const whole = new Date(Number((given - fraction) / unit) * 1000).toISOString()
  return digits === 0 ? whole : whole.replace(/000Z$/, `${String(fraction).padStart(digits, "0")}Z`)
}

function decode(bytes: Uint8Array): string | typeof NOT_UTF8 {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return NOT_UTF8
  }
}

function parsedOr(text: string | typeof NOT_UTF8): unknown {
  if (typeof text !== "string") return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
