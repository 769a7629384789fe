import { exactNumber, isExactNumber, isObject, parseExactJson } from "@assay/json"
import type { ParquetParsers } from "hyparquet"
import { ParquetFault } from "../parquet-fault.ts"
import { readVariant } from "./parquet-variant.ts"
import { isLostNumber } from "./lost-numbers.ts"
import { listEntries, nameOfField, type KeptTypes } from "./kept-types.ts"
import { isoDate, isoInterval, isoTime, timeOfDay } from "./parquet-times.ts"

/** Represents text that is not UTF-8 until its row is built. */
const NOT_UTF8 = Symbol("not UTF-8")

/** Reads Parquet types that JSON lacks as text. Times are ISO 8601 in UTC with all their digits. */
export const parquetParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (time) => orNothing(time, (given) => isoTime(given, 3)),
  timestampFromMicroseconds: (time) => orNothing(time, (given) => isoTime(given, 6)),
  timestampFromNanoseconds: (time) => orNothing(time, (given) => isoTime(given, 9)),
  dateFromDays: (days) => orNothing(days, isoDate),
  stringFromBytes: (bytes) => orNothing(bytes, decode),
  jsonFromBytes: (bytes) => orNothing(bytes, (given) => parsedOr(decode(given))),
}

/** State of converting the values of a window: the types of its columns, and whether exact or lost numbers were found. */
export interface ParquetReading {
  readonly types: KeptTypes | undefined
  /** Set if a number was found that a JavaScript number can't hold. */
  hasExact: boolean
  /** Set if a number was found that JSON can't represent. It is replaced by null. */
  hasLost: boolean
}

/**
 * Converts a Parquet value to JSON and keeps all digits of its numbers. Bytes that are not text become base64. NaN and
 * infinities become null.
 * @throws `ParquetFault` that describes what can't be read or written as JSON
 */
export function parquetToJson(value: unknown, reading: ParquetReading, types = reading.types): unknown {
  if (value === undefined || value === null) return null
  if (value === NOT_UTF8) throw new ParquetFault("text that is not UTF-8")
  if (types?.isVariant === true && !Array.isArray(value)) {
    const found = variantOf(value, types, { reading, metadata: (value as VariantPart).metadata })
    return found === MISSING ? null : found
  }
  if (Array.isArray(value)) return value.map((part) => parquetToJson(part, reading, types))
  if (types?.scale !== undefined) return decimalOf(value, types.scale, reading)
  if (types?.timeDigits !== undefined) return timeOf(value, types.timeDigits)
  if (types?.entries !== undefined) return mapOf(value, types.entries, reading)
  if (typeof value === "bigint") return parseNumber(String(value), reading)
  if (typeof value === "number") {
    if (isLostNumber(value)) {
      reading.hasLost = true
      return null
    }
    return Object.is(value, -0) ? parseNumber("-0.0", reading) : value
  }
  if (typeof value !== "object") return value
  if (value instanceof Uint8Array) {
    const interval = types?.isInterval === true ? isoInterval(value) : undefined
    return interval ?? Buffer.from(value).toString("base64")
  }
  if (isExactNumber(value)) {
    reading.hasExact = true
    return value
  }
  const below = (key: string) => types?.fields?.get(key) ?? NO_TYPES
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const name = nameOfField(key)
      return [name, at(name, part, reading, below(key))]
    }),
  )
}

const NO_TYPES: KeptTypes = {}

/** Converts a map to an object. Keys that are not text are written as JSON. @throws `ParquetFault` if a key is there twice */
function mapOf(value: unknown, entries: NonNullable<KeptTypes["entries"]>, reading: ParquetReading): unknown {
  const found = new Map<string, unknown>()
  for (const entry of listEntries(value, entries)) {
    const given = parquetToJson(entry.key, reading, entries.key.types ?? NO_TYPES)
    const key = typeof given === "string" ? given : JSON.stringify(given)
    if (found.has(key)) throw new ParquetFault(`the key '${key}' twice in a map`)
    found.set(key, at(key, entry.value, reading, entries.value.types ?? NO_TYPES))
  }
  return Object.fromEntries(found)
}

function timeOf(value: unknown, digits: number): string {
  if (typeof value !== "bigint" && typeof value !== "number") {
    throw new ParquetFault("a time of day that is not stored as one")
  }
  return timeOfDay(value, digits)
}

/** A value of a variant column, or a part of one: its bytes, and what was stored in a typed column instead (VariantShredding.md). */
interface VariantPart {
  readonly metadata?: unknown
  readonly value?: unknown
  readonly typed_value?: unknown
}

interface VariantReading {
  readonly reading: ParquetReading
  /** The names of fields. */
  readonly metadata: unknown
}

/** A field that an object does not have. */
const MISSING = Symbol("missing")

/** Converts a variant to JSON. `paths` are those of its column. */
function variantOf({ value, typed_value: typed }: VariantPart, paths: KeptTypes, variant: VariantReading): unknown {
  const { reading, metadata } = variant
  const whole =
    value instanceof Uint8Array && metadata instanceof Uint8Array ? bytesOf(metadata, value, reading) : MISSING
  if (typed === undefined || typed === null) return whole
  const within = paths.fields?.get("typed_value") ?? NO_TYPES
  if (Array.isArray(typed)) {
    return typed.map((part) => {
      const item = variantOf((part ?? {}) as VariantPart, within, variant)
      return item === MISSING ? null : item
    })
  }
  if (typeof typed !== "object" || typed instanceof Uint8Array || isExactNumber(typed) || within.scale !== undefined) {
    return parquetToJson(typed, reading, within)
  }
  const fields = Object.entries(typed).map(([name, part]) => {
    return [
      nameOfField(name),
      variantOf((part ?? {}) as VariantPart, within.fields?.get(name) ?? NO_TYPES, variant),
    ] as const
  })
  const rest = isObject(whole) ? Object.entries(whole) : []
  return Object.fromEntries([...rest, ...fields.filter(([, part]) => part !== MISSING)])
}

function bytesOf(metadata: Uint8Array, value: Uint8Array, reading: ParquetReading): unknown {
  return readVariant(metadata, value, {
    plain: (part) => parquetToJson(part, reading, NO_TYPES),
    decimal: (unscaled, scale) => parseNumber(decimalText(unscaled, scale), reading),
    time: isoTime,
    date: isoDate,
    timeOfDay: (time) => timeOfDay(time, 6),
  })
}

/** Converts a property of an object. The message of a fault names the property. */
function at(key: string, part: unknown, reading: ParquetReading, types: KeptTypes): unknown {
  try {
    return parquetToJson(part, reading, types)
  } catch (error) {
    if (!(error instanceof ParquetFault) || error.message.includes(LOCATION)) throw error
    throw new ParquetFault(`${error.message}${LOCATION}'${key}'`, { cause: error })
  }
}

/** Separates a fault from its path. */
const LOCATION = ", in "

function decimalOf(value: unknown, scale: number, reading: ParquetReading): unknown {
  const unscaled = unscaledOf(value)
  if (unscaled === undefined) throw new ParquetFault("a decimal that is not stored as one")
  return parseNumber(decimalText(unscaled, scale), reading)
}

function parseNumber(text: string, reading: ParquetReading): unknown {
  const value = Number(text)
  if (String(value) === text) return value
  reading.hasExact = true
  return exactNumber(text)
}

/** Calls `parse` unless the value is absent. The library passes absent values too, although its types exclude them. */
function orNothing<T>(value: T | undefined, parse: (value: T) => unknown): unknown {
  return value === undefined || value === null ? undefined : parse(value)
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
    const { value, lost } = parseExactJson(text)
    return lost === null ? value : text
  } catch {
    return text
  }
}

/** Formats a decimal as a JSON number with all digits of its scale. */
function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return `${unscaled * 10n ** BigInt(-scale)}`
  const sign = unscaled < 0n ? "-" : ""
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0")
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Returns the integer that is stored for a decimal, or undefined if the value is not one. */
function unscaledOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value)
  if (!(value instanceof Uint8Array)) return undefined
  // Two's complement, big-endian.
  return value.length === 0 ? 0n : BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString("hex")}`))
}
