import { ownAttribute } from "../methods/attribute-access.ts"
import { textMethod } from "../methods/text-method.ts"
import { integerArgument, namedArguments, textArgument } from "../values/call-arguments.ts"
import { pythonNumber } from "../values/python-numbers.ts"
import { fail, isTrue, isUndefined, typeName, undefinedValue, valueOr } from "../values/python-value.ts"
import type { Filter, Filters } from "./filter.ts"

const defaultValue: Filter = (value, args) => {
  const { default_value = "", boolean = false } = namedArguments(args, "default_value", "boolean")
  return isUndefined(value) || (isTrue(boolean) && !isTrue(value)) ? default_value : value
}

const INTEGER: ReadonlyMap<number, RegExp> = new Map([
  [2, /^[-+]?(0b)?[01]+$/i],
  [8, /^[-+]?(0o)?[0-7]+$/i],
  [10, /^[-+]?\d+(_\d+)*$/],
  [16, /^[-+]?(0x)?[\da-f]+$/i],
])
const FLOAT = /^[-+]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[-+]?\d+)?$/i
const SPECIAL = /^([-+]?)(?:inf(?:inity)?|nan)$/i
const MAX_DIGITS = 4300

function floatOf(text: string): number | undefined {
  const trimmed = text.trim()
  if (FLOAT.test(trimmed)) return Number(trimmed.replaceAll("_", ""))
  const special = SPECIAL.exec(trimmed)
  if (special === null) return undefined
  return trimmed.toLowerCase().includes("nan") ? Number.NaN : special[1] === "-" ? -Infinity : Infinity
}

const toInteger: Filter = (value, args) => {
  const { default: fallback = 0n, base } = namedArguments(args, "default", "base")
  if (isUndefined(value)) return fail(value.hint)
  const number = typeof value === "string" ? integerOf(value, integerArgument(base, 10)) : pythonNumber(value)
  if (number === undefined || (typeof number === "number" && !Number.isFinite(number))) return fallback
  return typeof number === "number" ? BigInt(Math.trunc(number)) : number
}

function integerOf(text: string, base: number): bigint | number | undefined {
  const digits = text.trim().replace(/^\+/, "")
  if (digits.length > MAX_DIGITS || INTEGER.get(base)?.test(text.trim()) !== true) return floatOf(text)
  if (base === 10) return BigInt(digits.replaceAll("_", ""))
  const isNegative = digits.startsWith("-")
  const prefix = base === 16 ? "0x" : base === 8 ? "0o" : "0b"
  const size = BigInt(prefix + digits.replace(/^-/, "").replace(/^0[xob]/i, ""))
  return isNegative ? -size : size
}

const toFloat: Filter = (value, args) => {
  const { default: fallback = 0 } = namedArguments(args, "default")
  if (isUndefined(value)) return fail(value.hint)
  const number = typeof value === "string" ? floatOf(value) : pythonNumber(value)
  return number === undefined ? fallback : Number(number)
}

const absolute: Filter = (value, args) => {
  namedArguments(args)
  const number = pythonNumber(value)
  if (number === undefined) return fail(`bad operand type for abs(): '${typeName(value)}'`)
  return number < 0 || Object.is(number, -0) ? -number : number
}

const round: Filter = (value, args) => {
  const { precision = 0n, method = "common" } = namedArguments(args, "precision", "method")
  const number = pythonNumber(value)
  if (number === undefined) return fail(`'round' takes a number, not ${typeName(value)}`)
  const decimals = integerArgument(precision, 0)
  if (Math.abs(decimals) > 100) return fail("'round' takes at most 100 places")
  if (method === "ceil" || method === "floor") {
    const factor = 10 ** decimals
    return (method === "ceil" ? Math.ceil : Math.floor)(Number(number) * factor) / factor
  }
  if (method !== "common") return fail("method must be common, ceil or floor")
  if (typeof number === "bigint" && decimals >= 0) return number
  const rounded = roundHalfEven(Number(number), decimals)
  return typeof number === "bigint" ? BigInt(rounded) : rounded
}

/** Rounds as Python does: the exact value of a float decides, and a tie goes to the even digit. */
function roundHalfEven(value: number, decimals: number): number {
  if (!Number.isFinite(value)) return value
  if (decimals > 0) {
    const exact = value.toFixed(Math.min(decimals, 100))
    return Number(exact)
  }
  const factor = 10 ** -decimals
  const scaled = value / factor
  const low = Math.floor(scaled)
  const difference = scaled - low
  const isUp = difference > 0.5 || (difference === 0.5 && low % 2 !== 0)
  return (isUp ? low + 1 : low) * factor
}

const attribute: Filter = (value, args) => {
  const name = textArgument(namedArguments(args, "name").name, "name")
  return valueOr(ownAttribute(value, name, textMethod), () => undefinedValue(`there is no attribute '${name}'`))
}

/** The filters of Jinja for single values. */
export const VALUE_FILTERS: Filters = [
  ["abs", absolute],
  ["attr", attribute],
  ["d", defaultValue],
  ["default", defaultValue],
  ["float", toFloat],
  ["int", toInteger],
  ["round", round],
]
