import { namedArguments } from "../values/call-arguments.ts"
import { compare, contains, isEqual } from "../values/python-compare.ts"
import { calculate, pythonNumber } from "../values/python-numbers.ts"
import { pythonText } from "../values/python-text.ts"
import {
  type CallArguments,
  fail,
  isDict,
  isKind,
  isUndefined,
  itemsOf,
  type PythonValue,
} from "../values/python-value.ts"

type Test = (value: PythonValue, args: CallArguments, filters: ReadonlyMap<string, unknown>) => boolean

const plain =
  (test: (value: PythonValue) => boolean): Test =>
  (value, args) => {
    namedArguments(args)
    return test(value)
  }

const against =
  (test: (value: PythonValue, other: PythonValue) => boolean): Test =>
  (value, args) => {
    const { other } = namedArguments(args, "other")
    return other === undefined ? fail("a test misses the value to compare with") : test(value, other)
  }

/** Returns whether a number leaves the remainder when it is divided. */
function hasRemainder(value: PythonValue, divisor: PythonValue, remainder: bigint): boolean {
  const number = pythonNumber(value)
  const by = pythonNumber(divisor)
  if (number === undefined || by === undefined) return fail("a test needs a number")
  return isEqual(calculate("%", number, by) ?? null, remainder)
}

const isIterable = (value: PythonValue) =>
  typeof value === "string" ||
  isDict(value) ||
  itemsOf(value) !== undefined ||
  isUndefined(value) ||
  isKind(value, "iterator") ||
  (isKind(value, "object") && value.items !== undefined)

const isSequence = (value: PythonValue) =>
  isIterable(value) && !isKind(value, "iterator") && (!isKind(value, "object") || value.isSequence === true)

const isCallable = (value: PythonValue) =>
  isKind(value, "function") || isUndefined(value) || (isKind(value, "object") && value.call !== undefined)

const isEqualTo = against(isEqual)
const differs = against((value, other) => !isEqual(value, other))
const less = against((value, other) => compare(value, other, "<") < 0)
const lessOrEqual = against((value, other) => compare(value, other, "<=") <= 0)
const greater = against((value, other) => compare(value, other, ">") > 0)
const greaterOrEqual = against((value, other) => compare(value, other, ">=") >= 0)

/** The tests of Jinja by name. */
export const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["boolean", plain((value) => typeof value === "boolean")],
  ["callable", plain(isCallable)],
  ["defined", plain((value) => !isUndefined(value))],
  ["divisibleby", against((value, other) => hasRemainder(value, other, 0n))],
  ["escaped", plain(() => false)],
  ["even", plain((value) => hasRemainder(value, 2n, 0n))],
  ["false", plain((value) => value === false)],
  ["filter", (value, _args, filters) => typeof value === "string" && filters.has(value)],
  ["float", plain((value) => typeof value === "number")],
  ["in", against((value, other) => contains(other, value))],
  ["integer", plain((value) => typeof value === "bigint")],
  ["iterable", plain(isIterable)],
  ["lower", plain((value) => isCased(pythonText(value), (text) => text.toLowerCase()))],
  ["mapping", plain(isDict)],
  ["none", plain((value) => value === null)],
  ["number", plain((value) => pythonNumber(value) !== undefined)],
  ["odd", plain((value) => hasRemainder(value, 2n, 1n))],
  ["sameas", against((value, other) => value === other)],
  ["sequence", plain(isSequence)],
  ["string", plain((value) => typeof value === "string")],
  ["test", (value) => typeof value === "string" && TESTS.has(value)],
  ["true", plain((value) => value === true)],
  ["undefined", plain(isUndefined)],
  ["upper", plain((value) => isCased(pythonText(value), (text) => text.toUpperCase()))],
  ...["==", "eq", "equalto"].map((name) => [name, isEqualTo] as const),
  ...["!=", "ne"].map((name) => [name, differs] as const),
  ...["<", "lt", "lessthan"].map((name) => [name, less] as const),
  ...["<=", "le"].map((name) => [name, lessOrEqual] as const),
  ...[">", "gt", "greaterthan"].map((name) => [name, greater] as const),
  ...[">=", "ge"].map((name) => [name, greaterOrEqual] as const),
])

function isCased(text: string, change: (text: string) => string): boolean {
  return text === change(text) && /[\p{Lu}\p{Ll}\p{Lt}]/u.test(text)
}
