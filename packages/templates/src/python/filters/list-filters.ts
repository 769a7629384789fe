import { checkSize } from "../values/bounds.ts"
import { integerArgument, namedArguments } from "../values/call-arguments.ts"
import { compare, identityOf, sortKey } from "../values/python-compare.ts"
import { calculate, pythonNumber } from "../values/python-numbers.ts"
import {
  charactersOf,
  fail,
  isDict,
  isKind,
  isTrue,
  isUndefined,
  iterate,
  iteratorOver,
  lengthOf,
  type PythonValue,
  tuple,
  typeName,
  undefinedValue,
  valueOr,
} from "../values/python-value.ts"
import { dictItems } from "../methods/attribute-access.ts"
import { attributeReader } from "./attribute-reader.ts"
import type { Filter, Filters } from "./filter.ts"

/** Returns the values of an iterable as a list. */
function listOf(value: PythonValue): readonly PythonValue[] {
  const list = [...iterate(value)]
  checkSize(list.length)
  return list
}

const sort: Filter = (value, args) => {
  const given = namedArguments(args, "reverse", "case_sensitive", "attribute")
  const isSensitive = isTrue(given.case_sensitive ?? false)
  const keyOf = sortKeys(given.attribute ?? null, isSensitive)
  return sorted(listOf(value), keyOf, isTrue(given.reverse ?? false))
}

/** Returns the function that reads the values to sort by: one attribute, or several with commas between them. */
function sortKeys(attribute: PythonValue, isSensitive: boolean): (item: PythonValue) => PythonValue {
  const names = typeof attribute === "string" ? attribute.split(",") : [attribute]
  const readers = names.map((name) => attributeReader(name))
  if (readers.length === 1) return (item) => sortKey(readers[0]?.(item) ?? null, isSensitive)
  return (item) => readers.map((read) => sortKey(read(item), isSensitive))
}

function sorted(
  items: readonly PythonValue[],
  keyOf: (item: PythonValue) => PythonValue,
  isReverse: boolean,
): readonly PythonValue[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  const ordered = keyed.toSorted((a, b) => (isReverse ? compare(b.key, a.key) : compare(a.key, b.key)))
  return ordered.map(({ item }) => item)
}

const dictSort: Filter = (value, args) => {
  const given = namedArguments(args, "case_sensitive", "by", "reverse")
  if (!isDict(value)) return fail(`'dictsort' takes a dict, not ${typeName(value)}`)
  const index = given.by === "value" ? 1 : 0
  const isSensitive = isTrue(given.case_sensitive ?? false)
  const keyOf = (item: PythonValue) => sortKey(isKind(item, "tuple") ? (item.items[index] ?? null) : item, isSensitive)
  return sorted(dictItems(value), keyOf, isTrue(given.reverse ?? false))
}

const unique: Filter = (value, args) => {
  const { case_sensitive = false, attribute = null } = namedArguments(args, "case_sensitive", "attribute")
  const read = attributeReader(attribute)
  const seen = new Set<string>()
  const kept = listOf(value).filter((item) => {
    const identity = identityOf(sortKey(read(item), isTrue(case_sensitive)))
    return !seen.has(identity) && seen.add(identity)
  })
  return iteratorOver(kept)
}

const groupBy: Filter = (value, args) => {
  const given = namedArguments(args, "attribute", "default", "case_sensitive")
  const read = attributeReader(given.attribute ?? null, given.default)
  const isSensitive = isTrue(given.case_sensitive ?? false)
  const keyOf = (item: PythonValue) => sortKey(read(item), isSensitive)
  const items = sorted(listOf(value), keyOf, false)
  const groups = Map.groupBy(items, (item) => identityOf(keyOf(item)))
  return [...groups.values()].map((group) => {
    const key = read(group[0] ?? null)
    return { ...tuple(key, group), names: ["grouper", "list"] }
  })
}

const batch: Filter = (value, args) => {
  const { linecount, fill_with = null } = namedArguments(args, "linecount", "fill_with")
  const size = Math.max(integerArgument(linecount ?? null, 1), 1)
  const items = listOf(value)
  const rows = Array.from({ length: Math.ceil(items.length / size) }, (_, row) => {
    const part = items.slice(row * size, (row + 1) * size)
    if (fill_with === null) return part
    checkSize(size)
    return [...part, ...Array.from({ length: size - part.length }, () => fill_with)]
  })
  return iteratorOver(rows)
}

const slice: Filter = (value, args) => {
  const { slices, fill_with = null } = namedArguments(args, "slices", "fill_with")
  const count = integerArgument(slices ?? null, 1)
  if (count <= 0) return fail("'slice' takes a number above 0")
  checkSize(count)
  const items = listOf(value)
  const size = Math.floor(items.length / count)
  const larger = items.length % count
  const rows = Array.from({ length: count }, (_, row) => {
    const from = row * size + Math.min(row, larger)
    const part = items.slice(from, from + size + (row < larger ? 1 : 0))
    return fill_with !== null && row >= larger ? [...part, fill_with] : part
  })
  return iteratorOver(rows)
}

const first: Filter = (value, args) => {
  namedArguments(args)
  for (const item of iterate(value)) return item
  return undefinedValue("No first item, sequence was empty.")
}

const last: Filter = (value, args) => {
  namedArguments(args)
  if (isKind(value, "iterator")) return fail("'generator' object is not reversible")
  return valueOr(listOf(value).at(-1), () => undefinedValue("No last item, sequence was empty."))
}

const extreme =
  (name: "min" | "max"): Filter =>
  (value, args) => {
    const { case_sensitive = false, attribute = null } = namedArguments(args, "case_sensitive", "attribute")
    const read = attributeReader(attribute)
    const keyOf = (item: PythonValue) => sortKey(read(item), isTrue(case_sensitive))
    const [start, ...rest] = listOf(value)
    if (start === undefined) return undefinedValue("No aggregated item, sequence was empty.")
    return rest.reduce((best, item) => {
      const order = compare(keyOf(item), keyOf(best))
      return (name === "min" ? order < 0 : order > 0) ? item : best
    }, start)
  }

const sum: Filter = (value, args) => {
  const { attribute = null, start = 0n } = namedArguments(args, "attribute", "start")
  const read = attributeReader(attribute)
  return listOf(value).reduce<PythonValue>((total, item) => {
    const a = pythonNumber(total)
    const b = pythonNumber(read(item))
    if (a === undefined || b === undefined) return fail("'sum' takes numbers")
    return calculate("+", a, b) ?? null
  }, start)
}

const reverse: Filter = (value, args) => {
  namedArguments(args)
  return typeof value === "string"
    ? charactersOf(value).toReversed().join("")
    : iteratorOver(listOf(value).toReversed())
}

const items: Filter = (value, args) => {
  namedArguments(args)
  if (isUndefined(value)) return iteratorOver([])
  return isDict(value) ? iteratorOver(dictItems(value)) : fail("Can only get item pairs from a mapping.")
}

const length: Filter = (value, args) => {
  namedArguments(args)
  return BigInt(lengthOf(value))
}

/** The filters of Jinja for lists and dicts. */
export const LIST_FILTERS: Filters = [
  ["batch", batch],
  ["count", length],
  ["dictsort", dictSort],
  ["first", first],
  ["groupby", groupBy],
  ["items", items],
  ["last", last],
  ["length", length],
  ["list", (value, args) => (namedArguments(args), listOf(value))],
  ["max", extreme("max")],
  ["min", extreme("min")],
  ["reverse", reverse],
  ["slice", slice],
  ["sort", sort],
  ["sum", sum],
  ["unique", unique],
]
