import { pythonNumber } from "./python-numbers.ts"
import {
  fail,
  isDict,
  isKind,
  isList,
  isUndefined,
  itemsOf,
  iterate,
  dictKey,
  type PythonValue,
  typeName,
} from "./python-value.ts"
import { pythonText } from "./python-text.ts"

/** Returns Python's `left == right`. */
export function isEqual(left: PythonValue, right: PythonValue): boolean {
  if (left === right) return true
  const a = pythonNumber(left)
  const b = pythonNumber(right)
  // oxlint-disable-next-line eqeqeq -- `==` compares integers and floats by value, as Python does
  if (a !== undefined && b !== undefined) return a == b
  if (isUndefined(left) && isUndefined(right)) return true
  if (isDict(left) && isDict(right)) {
    return (
      left.size === right.size &&
      [...left].every(([key, value]) => {
        const other = right.get(key)
        return other !== undefined && isEqual(value, other)
      })
    )
  }
  const isSame = (isList(left) && isList(right)) || (isKind(left, "tuple") && isKind(right, "tuple"))
  if (!isSame) return false
  const [ours = [], theirs = []] = [itemsOf(left), itemsOf(right)]
  return ours.length === theirs.length && ours.every((item, index) => isEqual(item, theirs[index] ?? null))
}

/** Returns a negative number if `left < right` in Python, a positive one if `left > right`, and else 0. */
export function compare(left: PythonValue, right: PythonValue, operator = "<"): number {
  const a = pythonNumber(left)
  const b = pythonNumber(right)
  if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : 0
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right)
  const isSame = (isList(left) && isList(right)) || (isKind(left, "tuple") && isKind(right, "tuple"))
  if (isSame) return compareItems(itemsOf(left) ?? [], itemsOf(right) ?? [], operator)
  for (const value of [left, right]) if (isUndefined(value)) fail(value.hint)
  return fail(`'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`)
}

/** Compares texts by code points. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  let at = 0
  while (left[at] === right[at]) at++
  const a = left.charCodeAt(at)
  const b = right.charCodeAt(at)
  const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
  // A surrogate is half of a character above all others.
  if (isHigh(a) !== isHigh(b)) return isHigh(a) ? 1 : -1
  return Number.isNaN(a) ? -1 : Number.isNaN(b) ? 1 : a - b
}

function compareItems(left: readonly PythonValue[], right: readonly PythonValue[], operator: string): number {
  for (const [index, item] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (!isEqual(item, other)) return compare(item, other, operator)
  }
  return left.length - right.length
}

/** Returns Python's `item in container`. */
export function contains(container: PythonValue, item: PythonValue): boolean {
  if (typeof container === "string") {
    if (isUndefined(item)) return fail(item.hint)
    if (typeof item !== "string") return fail(`'in <string>' requires string as left operand, not ${typeName(item)}`)
    return container.includes(item)
  }
  if (isDict(container)) return container.has(dictKey(item))
  for (const value of iterate(container)) if (isEqual(value, item)) return true
  return false
}

/** Returns the value by which Jinja sorts: texts in lower case unless case matters. */
export function sortKey(value: PythonValue, isCaseSensitive: boolean): PythonValue {
  return typeof value === "string" && !isCaseSensitive ? value.toLowerCase() : value
}

/** Returns a name that equal values share. */
export function identityOf(value: PythonValue): string {
  const number = pythonNumber(value)
  if (number !== undefined) return `n${Number(number)}`
  return `${typeName(value)} ${pythonText(value)}`
}
