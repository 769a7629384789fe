import { isExactNumber, isJsonObject, numberText } from "@assay/json"

/** The Python type of a JSON value. 5 is an `int`, 5.0 and 5e0 are a `float`. */
export type PythonKind = "str" | "int" | "float" | "bool" | "list" | "dict" | "none"

/** Returns the type that Python's JSON parser gives a value. Numbers are distinguished by their text. */
export function pythonKind(value: unknown): PythonKind {
  if (typeof value === "string") return "str"
  if (typeof value === "boolean") return "bool"
  const text = numberText(value)
  if (text !== undefined) return /[.eE]/.test(text) && !isLargeInteger(value) ? "float" : "int"
  if (Array.isArray(value)) return "list"
  return isDict(value) ? "dict" : "none"
}

/** Returns whether a value is an integer, for numbers that keep their text. JavaScript writes integers from 1e21 on with an exponent. A number with this text in JSON is an exact number. */
function isLargeInteger(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value)
}

export type PythonDict = Readonly<Record<string, unknown>>

export function isDict(value: unknown): value is PythonDict {
  return isJsonObject(value)
}

/** Returns what a loop over a value visits: the items of a list, or the characters of a text. Undefined for other values. */
export function pythonItems(value: unknown): readonly unknown[] | undefined {
  if (typeof value === "string") return Array.from(value)
  return Array.isArray(value) ? value : undefined
}

/** Values that are nested more deeply are never equal. */
const MAX_DEPTH = 64

/** Returns whether two values are equal in Python: 1, 1.0 and True are, and dicts with the same entries in any order. */
export function isPythonEqual(left: unknown, right: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const one = pythonNumber(left)
  const other = pythonNumber(right)
  if (one !== undefined && other !== undefined) return isSameNumber(one, other)
  if (Array.isArray(left) && Array.isArray(right)) {
    const items: readonly unknown[] = right
    return left.length === items.length && left.every((item, at) => isPythonEqual(item, items[at], depth + 1))
  }
  if (isDict(left) && isDict(right)) {
    const keys = Object.keys(left)
    if (keys.length !== Object.keys(right).length) return false
    return keys.every((key) => Object.hasOwn(right, key) && isPythonEqual(left[key], right[key], depth + 1))
  }
  return left === right
}

/** The digits above which an integer is compared as a float: long ones take quadratic time. */
const MAX_DIGITS = 4300

function pythonNumber(value: unknown): number | bigint | undefined {
  if (typeof value === "boolean") return Number(value)
  if (!isExactNumber(value)) return typeof value === "number" ? value : undefined
  const { rawJSON: text } = value
  return pythonKind(value) === "float" || text.length > MAX_DIGITS ? Number(text) : BigInt(text)
}

function isSameNumber(one: number | bigint, other: number | bigint): boolean {
  if (typeof one === typeof other) return one === other
  const [float, integer] = typeof one === "number" ? [one, other] : [other, one]
  return Number.isInteger(float) && BigInt(float) === integer
}
