import { formatPercent } from "../methods/format-spec.ts"
import { repeat } from "../methods/attribute-access.ts"
import { boundedText, checkSize } from "../values/bounds.ts"
import { compare, contains, isEqual } from "../values/python-compare.ts"
import { escaped, markup } from "../values/markup.ts"
import { calculate, pythonNumber } from "../values/python-numbers.ts"
import { pythonText } from "../values/python-text.ts"
import {
  fail,
  isKind,
  isList,
  isUndefined,
  type PythonValue,
  tuple,
  typeName,
  withoutMarkup,
} from "../values/python-value.ts"

/** Computes a binary operator other than `and` and `or`. */
export function operate(operator: string, left: PythonValue, right: PythonValue): PythonValue {
  const hasMarkup = isKind(left, "markup") || isKind(right, "markup")
  // Only `+` escapes: `~` joins plain texts, because chat templates are not escaped.
  if (hasMarkup && operator === "+" && isText(left) && isText(right)) {
    return markup(boundedText(escaped(left).text + escaped(right).text))
  }
  return hasMarkup
    ? operateOnValues(operator, withoutMarkup(left), withoutMarkup(right))
    : operateOnValues(operator, left, right)
}

function isText(value: PythonValue): boolean {
  return typeof value === "string" || isKind(value, "markup")
}

function operateOnValues(operator: string, left: PythonValue, right: PythonValue): PythonValue {
  switch (operator) {
    case "==":
      return isEqual(left, right)
    case "!=":
      return !isEqual(left, right)
    case "<":
      return compare(left, right, operator) < 0
    case "<=":
      return compare(left, right, operator) <= 0
    case ">":
      return compare(left, right, operator) > 0
    case ">=":
      return compare(left, right, operator) >= 0
    case "in":
      return contains(right, left)
    case "not in":
      return !contains(right, left)
    case "~":
      return boundedText(pythonText(left) + pythonText(right))
    default:
      return arithmetic(operator, left, right)
  }
}

function arithmetic(operator: string, left: PythonValue, right: PythonValue): PythonValue {
  const a = pythonNumber(left)
  const b = pythonNumber(right)
  const number = a === undefined || b === undefined ? undefined : calculate(operator, a, b)
  return number ?? sequences(operator, left, right) ?? unsupported(operator, left, right)
}

function sequences(operator: string, left: PythonValue, right: PythonValue): PythonValue | undefined {
  if (operator === "+") return joined(left, right)
  if (operator === "%" && typeof left === "string") return boundedText(formatPercent(left, right))
  if (operator !== "*") return undefined
  const a = pythonNumber(left)
  const b = pythonNumber(right)
  if (typeof b === "bigint") return repeat(left, Number(b))
  return typeof a === "bigint" ? repeat(right, Number(a)) : undefined
}

function joined(left: PythonValue, right: PythonValue): PythonValue | undefined {
  if (typeof left === "string" && typeof right === "string") return boundedText(left + right)
  if (isList(left) && isList(right)) {
    checkSize(left.length + right.length)
    return [...left, ...right]
  }
  return isKind(left, "tuple") && isKind(right, "tuple") ? tuple(...left.items, ...right.items) : undefined
}

function unsupported(operator: string, left: PythonValue, right: PythonValue): never {
  for (const value of [left, right]) if (isUndefined(value)) fail(value.hint)
  return fail(`unsupported operand types for ${operator}: '${typeName(left)}' and '${typeName(right)}'`)
}

/** Computes `+value` or `-value`. */
export function sign(operator: string, value: PythonValue): PythonValue {
  const number = pythonNumber(value)
  if (number !== undefined) return operator === "-" ? -number : number
  return isUndefined(value) ? fail(value.hint) : fail(`bad operand type for unary ${operator}: '${typeName(value)}'`)
}
