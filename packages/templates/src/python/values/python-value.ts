import { TemplateFailure } from "../../faults/template-fault.ts"

/** A value while a chat template runs: `bigint` is Python's int, `number` its float, an array its list, a map its dict. */
export type PythonValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | PythonUndefined
  | PythonMarkup
  | readonly PythonValue[]
  | PythonTuple
  | PythonDict
  | PythonObject
  | PythonIterator
  | PythonFunction

/** Jinja's value of a missing name or attribute. It is an empty text and an empty list; any other use fails. */
export interface PythonUndefined {
  readonly kind: "undefined"
  /** The reason of the failure if the value is used. */
  readonly hint: string
}

/** A text of the filters `safe` and `escape`. Texts that are added to it are escaped for HTML. */
export interface PythonMarkup {
  readonly kind: "markup"
  readonly text: string
}

export interface PythonTuple {
  readonly kind: "tuple"
  readonly items: readonly PythonValue[]
  /** Names under which the items are attributes too. */
  readonly names?: readonly string[]
}

export type PythonDict = ReadonlyMap<PythonValue, PythonValue>

/** An object with attributes: a namespace, a loop, a view of a dict, or a range. */
export interface PythonObject {
  readonly kind: "object"
  /** The name of its type in Python. */
  readonly type: string
  readonly attribute?: (name: string) => PythonValue | undefined
  readonly setAttribute?: (name: string, value: PythonValue) => void
  /** The values that a loop over it goes through. */
  readonly items?: () => readonly PythonValue[]
  /** Whether it has items at indices. */
  readonly isSequence?: boolean
  /** Its text in Python. */
  readonly text?: () => string
  readonly call?: PythonFunction["call"]
}

/** A generator: its values can be gone through once. */
export interface PythonIterator {
  readonly kind: "iterator"
  readonly values: Iterator<PythonValue>
}

export interface PythonFunction {
  readonly kind: "function"
  readonly call: (args: CallArguments) => PythonValue
}

export interface CallArguments {
  readonly positional: readonly PythonValue[]
  readonly named: ReadonlyMap<string, PythonValue>
}

export function undefinedValue(hint: string): PythonUndefined {
  return { kind: "undefined", hint }
}

export function tuple(...items: readonly PythonValue[]): PythonTuple {
  return { kind: "tuple", items }
}

export function pythonFunction(call: PythonFunction["call"]): PythonFunction {
  return { kind: "function", call }
}

export function iteratorOver(values: Iterable<PythonValue>): PythonIterator {
  return { kind: "iterator", values: values[Symbol.iterator]() }
}

/** Returns a value, or another one if there is none. None is a value, so `??` does not fit. */
export function valueOr(value: PythonValue | undefined, otherwise: () => PythonValue): PythonValue {
  return value === undefined ? otherwise() : value
}

/** Ends the run of a template. */
export function fail(reason: string): never {
  throw new TemplateFailure(`can't be rendered: ${reason}`)
}

export function isList(value: PythonValue): value is readonly PythonValue[] {
  return Array.isArray(value)
}

export function isDict(value: PythonValue): value is PythonDict {
  return value instanceof Map
}

type Kind = Extract<PythonValue, { readonly kind: string }>["kind"]

export function isKind<K extends Kind>(
  value: PythonValue,
  kind: K,
): value is Extract<PythonValue, { readonly kind: K }> {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === kind
}

export function isUndefined(value: PythonValue): value is PythonUndefined {
  return isKind(value, "undefined")
}

/** Returns the text of markup, and any other value as it is. */
export function withoutMarkup(value: PythonValue): PythonValue {
  return isKind(value, "markup") ? value.text : value
}

/** Returns the items of a list or tuple; undefined for any other value. */
export function itemsOf(value: PythonValue): readonly PythonValue[] | undefined {
  if (isList(value)) return value
  return isKind(value, "tuple") ? value.items : undefined
}

/** Returns the name of the value's type in Python. */
export function typeName(value: PythonValue): string {
  if (value === null) return "NoneType"
  if (typeof value === "string") return "str"
  if (typeof value === "bigint") return "int"
  if (typeof value === "number") return "float"
  if (typeof value === "boolean") return "bool"
  if (isList(value)) return "list"
  if (isDict(value)) return "dict"
  if (isKind(value, "object")) return value.type
  return TYPE_NAMES[value.kind]
}

const TYPE_NAMES = {
  undefined: "Undefined",
  markup: "Markup",
  tuple: "tuple",
  iterator: "generator",
  function: "function",
} as const

/** Returns whether Python takes a value as true. */
export function isTrue(value: PythonValue): boolean {
  if (value === null || isUndefined(value)) return false
  if (typeof value !== "object") return Boolean(value)
  if (isKind(value, "markup")) return value.text !== ""
  if (isDict(value)) return value.size > 0
  if (isKind(value, "object") && value.items !== undefined) return value.items().length > 0
  return (itemsOf(value)?.length ?? 1) > 0
}

/** Goes through the values of an iterable, in Python's sense: letters of a text, keys of a dict. */
export function iterate(value: PythonValue): Iterable<PythonValue> {
  if (typeof value === "string") return value
  if (isKind(value, "markup")) return value.text
  const items = itemsOf(value)
  if (items !== undefined) return items
  if (isDict(value)) return value.keys()
  if (isUndefined(value)) return []
  if (isKind(value, "iterator")) return { [Symbol.iterator]: () => value.values }
  if (isKind(value, "object") && value.items !== undefined) return value.items()
  return fail(`'${typeName(value)}' object is not iterable`)
}

/** Returns the key of a dict: equal numbers are one key. */
export function dictKey(key: PythonValue): PythonValue {
  if (typeof key === "number" && Number.isInteger(key)) return BigInt(key)
  if (isList(key) || isDict(key)) fail(`unhashable type: '${typeName(key)}'`)
  return key
}

/** Returns the number of values. @throws TemplateFailure if Python's `len()` does */
export function lengthOf(value: PythonValue): number {
  if (typeof value === "string") return codePointCount(value)
  if (isDict(value)) return value.size
  if (isUndefined(value)) return 0
  if (isKind(value, "object") && value.items !== undefined) return value.items().length
  const items = itemsOf(value)
  return items === undefined ? fail(`object of type '${typeName(value)}' has no len()`) : items.length
}

const SURROGATE = /[\ud800-\udfff]/

/** Returns the characters of a text as Python counts them. */
export function charactersOf(text: string): readonly string[] {
  return Array.from(text)
}

export function codePointCount(text: string): number {
  return SURROGATE.test(text) ? charactersOf(text).length : text.length
}

/** Returns a part of a text by Python's indices. */
export function sliceText(text: string, from: number, to?: number): string {
  return SURROGATE.test(text) ? charactersOf(text).slice(from, to).join("") : text.slice(from, to)
}
