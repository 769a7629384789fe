import { isEqual } from "../values/python-compare.ts"
import { indexOf, pythonNumber } from "../values/python-numbers.ts"
import { namedArguments } from "../values/call-arguments.ts"
import { checkSize } from "../values/bounds.ts"
import { representationOf } from "../values/python-text.ts"
import {
  type CallArguments,
  charactersOf,
  codePointCount,
  dictKey,
  fail,
  isDict,
  isKind,
  isList,
  isUndefined,
  itemsOf,
  type PythonDict,
  type PythonValue,
  pythonFunction,
  sliceText,
  tuple,
  typeName,
  undefinedValue,
  valueOr,
} from "../values/python-value.ts"

/** Resolves the methods of texts. They are passed in, because some of them read attributes themselves. */
export type MethodOf = (text: string, name: string) => PythonValue | undefined

/** Returns `object.name`: an attribute or method, or else an item of a dict. As in Jinja, it is undefined if there is none. */
export function getAttribute(object: PythonValue, name: string, methodOf: MethodOf = () => undefined): PythonValue {
  if (isUndefined(object)) return fail(object.hint)
  const own = ownAttribute(object, name, methodOf)
  if (own !== undefined) return own
  const item = isDict(object) ? object.get(name) : undefined
  return valueOr(item, () => missing(object, name))
}

/** Returns `object[key]`: an item, or else an attribute. As in Jinja, it is undefined if there is none. */
export function getItem(object: PythonValue, key: PythonValue, methodOf: MethodOf = () => undefined): PythonValue {
  if (isUndefined(object)) return fail(object.hint)
  const item = itemAt(object, key)
  if (item !== undefined) return item
  const own = typeof key === "string" ? ownAttribute(object, key, methodOf) : undefined
  return valueOr(own, () => missing(object, typeof key === "string" ? key : String(pythonNumber(key) ?? typeName(key))))
}

function missing(object: PythonValue, name: string): PythonValue {
  const owner = object === null ? "None" : `'${typeName(object)} object'`
  return undefinedValue(`${owner} has no attribute '${name}'`)
}

function itemAt(object: PythonValue, key: PythonValue): PythonValue | undefined {
  if (isDict(object)) return isList(key) || isDict(key) ? undefined : object.get(dictKey(key))
  const number = pythonNumber(key)
  if (typeof number !== "bigint") return undefined
  const items = itemsOf(object) ?? sequenceOf(object)
  return items?.at(Number(number))
}

/** Returns the characters of a text, or the items of a range. */
function sequenceOf(object: PythonValue): readonly string[] | readonly PythonValue[] | undefined {
  if (typeof object === "string") return charactersOf(object)
  return isKind(object, "object") && object.isSequence === true ? object.items?.() : undefined
}

/** Methods that change a list or dict. The sandbox of transformers refuses them. */
const CHANGING_METHODS = new Set(
  "append clear extend insert pop popitem remove reverse setdefault sort update".split(" "),
)

/** Returns an attribute or method of a value, and no item of a dict. */
export function ownAttribute(object: PythonValue, name: string, methodOf: MethodOf): PythonValue | undefined {
  if (name.startsWith("_")) return undefined
  if (typeof object === "string") return methodOf(object, name)
  if ((isList(object) && CHANGING_METHODS.has(name)) || (isDict(object) && DICT_CHANGES.has(name))) {
    return undefinedValue(`access to attribute '${name}' of '${typeName(object)}' object is unsafe`)
  }
  if (isDict(object)) return dictMethod(object, name)
  if (isKind(object, "object")) return object.attribute?.(name)
  const items = itemsOf(object)
  if (items === undefined) return undefined
  const position = isKind(object, "tuple") ? object.names?.indexOf(name) : undefined
  if (position !== undefined && position >= 0) return items[position]
  return itemsMethod(items, name)
}

const DICT_CHANGES = new Set("clear pop popitem setdefault update".split(" "))

function itemsMethod(items: readonly PythonValue[], name: string): PythonValue | undefined {
  const sought = (args: CallArguments) =>
    valueOr(namedArguments(args, "value").value, () => fail(`${name}() takes one argument`))
  switch (name) {
    case "count":
      return pythonFunction((args) => {
        const value = sought(args)
        return BigInt(items.filter((item) => isEqual(item, value)).length)
      })
    case "index":
      return pythonFunction((args) => {
        const value = sought(args)
        const index = items.findIndex((item) => isEqual(item, value))
        return index === -1 ? fail("the value is not in the list") : BigInt(index)
      })
    case "copy":
      return pythonFunction(() => [...items])
    default:
      return undefined
  }
}

function dictMethod(dict: PythonDict, name: string): PythonValue | undefined {
  switch (name) {
    case "get":
      return pythonFunction((args) => {
        const { key, default: fallback = null } = namedArguments(args, "key", "default")
        if (key === undefined) return fail("get expected at least 1 argument, got 0")
        return valueOr(dict.get(dictKey(key)), () => fallback)
      })
    case "items":
      return viewMethod("dict_items", () => dictItems(dict))
    case "keys":
      return viewMethod("dict_keys", () => [...dict.keys()])
    case "values":
      return viewMethod("dict_values", () => [...dict.values()])
    case "copy":
      return pythonFunction(() => new Map(dict))
    default:
      return undefined
  }
}

export function dictItems(dict: PythonDict): readonly PythonValue[] {
  return [...dict].map(([key, value]) => tuple(key, value))
}

function viewMethod(type: string, items: () => readonly PythonValue[]): PythonValue {
  return pythonFunction((args) => {
    namedArguments(args)
    const text = () => `${type}(${representationOf(items())})`
    return { kind: "object", type, items, text }
  })
}

/** The parts of `object[start:stop:step]`. */
export interface Slice {
  readonly start: PythonValue
  readonly stop: PythonValue
  readonly step: PythonValue
}

/** Returns Python's slice of a text, list or tuple. */
export function getSlice(object: PythonValue, { start, stop, step }: Slice): PythonValue {
  if (isUndefined(object)) return fail(object.hint)
  const by = step === null ? 1 : indexOf(step)
  if (by === 0) return fail("slice step cannot be zero")
  if (typeof object === "string") {
    const { from, to } = sliceRange(codePointCount(object), { start, stop, by })
    if (by === 1) return sliceText(object, from, Math.max(from, to))
    return pick(charactersOf(object), { from, to, by }).join("")
  }
  const items = itemsOf(object) ?? sequenceOf(object)
  if (items === undefined) return fail(`'${typeName(object)}' object is not subscriptable`)
  const picked = pick<PythonValue>(items, { ...sliceRange(items.length, { start, stop, by }), by })
  return isKind(object, "tuple") ? tuple(...picked) : picked
}

interface PickedRange {
  readonly from: number
  readonly to: number
  readonly by: number
}

function pick<T>(items: readonly T[], { from, to, by }: PickedRange): readonly T[] {
  if (by === 1) return items.slice(from, Math.max(from, to))
  const count = Math.max(0, Math.ceil((to - from) / by))
  return Array.from({ length: count }, (_, index) => items[from + index * by] as T)
}

function sliceRange(
  length: number,
  { start, stop, by }: { readonly start: PythonValue; readonly stop: PythonValue; readonly by: number },
): { readonly from: number; readonly to: number } {
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1]
  const at = (value: PythonValue, fallback: number) => {
    if (value === null) return fallback
    const index = indexOf(value)
    return index < 0 ? Math.max(length + index, low) : Math.min(index, high)
  }
  return { from: at(start, by > 0 ? low : high), to: at(stop, by > 0 ? high : low) }
}

/** Returns a value repeated, as Python's `*` does with a text, list or tuple. */
export function repeat(value: PythonValue, times: number): PythonValue | undefined {
  const count = Math.max(times, 0)
  if (typeof value === "string") {
    checkSize(value.length * count)
    return value.repeat(count)
  }
  const items = itemsOf(value)
  if (items === undefined) return undefined
  checkSize(items.length * count)
  const all = Array.from({ length: count }, () => items).flat()
  return isList(value) ? all : tuple(...all)
}
