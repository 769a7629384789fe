import { fieldsOf, isJsonObject, type JsonObject, listOf } from "@assay/json"
import { unwrapJson } from "../messages/embedded-json.ts"

/** Attributes of a span by name. */
export type Attributes = ReadonlyMap<string, unknown>

const MAX_DEPTH = 16
const MAX_ATTRIBUTES = 20_000
/** Segments of a dotted name, and the highest index of a list in it. */
const MAX_SEGMENTS = 16
const MAX_INDEX = 10_000

/** The attributes that are read. Others, such as headers of requests, are never looked at. */
const READ = /^(?:gen_ai|llm|input|output|openinference|session|traceloop|tool|ai|langfuse|event|error|thread)[._]/

/** Reads attributes: a list of OTLP, an object, or keys of the span that begin with `attributes.`. */
export function readAttributes(span: JsonObject): Attributes {
  const { attributes } = span
  const found = Array.isArray(attributes)
    ? attributes.map((one: unknown) => [fieldsOf(one)["key"], plainValue(fieldsOf(one)["value"])] as const)
    : isJsonObject(attributes)
      ? flatEntries(attributes)
      : Object.entries(span).flatMap(([key, value]) =>
          key.startsWith("attributes.") ? [[key.slice("attributes.".length), value] as const] : [],
        )
  return new Map(
    found.slice(0, MAX_ATTRIBUTES).filter((one): one is [string, unknown] => {
      return typeof one[0] === "string" && READ.test(`${one[0]}.`)
    }),
  )
}

/** Attributes of some exports are nested by their first names: `{gen_ai: {…}}`. */
function flatEntries(attributes: JsonObject): readonly (readonly [string, unknown])[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (key.includes(".") || !isJsonObject(value)) return [[key, value] as const]
    return Object.entries(value).map(([inner, part]) => [`${key}.${inner}`, part] as const)
  })
}

/** Returns the name of an attribute. Empty: it has none. */
export function keyOf(attribute: unknown): string {
  const { key } = fieldsOf(attribute)
  return typeof key === "string" ? key : ""
}

/** Converts a value of OTLP (`{stringValue}`, `{kvlistValue}` …) to a plain one. Bytes are left out. */
export function plainValue(value: unknown, depth = 0): unknown {
  if (!isJsonObject(value) || depth > MAX_DEPTH) return depth > MAX_DEPTH ? undefined : value
  const { stringValue, boolValue, doubleValue, intValue, arrayValue, kvlistValue } = value
  if (stringValue !== undefined) return stringValue
  if (boolValue !== undefined) return boolValue
  if (intValue !== undefined) return typeof intValue === "string" ? Number(intValue) : intValue
  if (doubleValue !== undefined) return doubleValue
  if (isJsonObject(arrayValue)) return listOf(arrayValue["values"]).map((one) => plainValue(one, depth + 1))
  if (!isJsonObject(kvlistValue)) return Object.keys(value).length === 0 || "bytesValue" in value ? undefined : value
  return Object.fromEntries(
    listOf(kvlistValue["values"]).map((one) => [keyOf(one), plainValue(fieldsOf(one)["value"], depth + 1)]),
  )
}

/**
 * Returns the value at a name: the attribute itself, with JSON parsed, or the value that dotted names below it spell, as
 * `llm.input_messages.0.message.role` does. Undefined if there is none.
 */
export function valueAt(attributes: Attributes, name: string): unknown {
  const direct = unwrapJson(attributes.get(name))
  if (direct !== undefined && direct !== null && direct !== "") return undot(direct, 0)
  const prefix = `${name}.`
  const root = createNode()
  let isFound = false
  for (const [key, value] of attributes) {
    if (!key.startsWith(prefix)) continue
    isFound = true
    setAt(root, key.slice(prefix.length).split("."), value)
  }
  return isFound ? valueOf(root) : undefined
}

interface Node {
  value: unknown
  readonly children: Map<string, Node>
}

function createNode(): Node {
  return { value: undefined, children: new Map() }
}

function setAt(root: Node, segments: readonly string[], value: unknown): void {
  if (segments.length > MAX_SEGMENTS) return
  let at = root
  for (const segment of segments) {
    const next = at.children.get(segment) ?? createNode()
    at.children.set(segment, next)
    at = next
  }
  at.value = value
}

function valueOf({ value, children }: Node): unknown {
  if (children.size === 0) return undot(value, 0)
  const keys = [...children.keys()]
  if (keys.every((key) => /^\d{1,5}$/.test(key) && Number(key) <= MAX_INDEX)) {
    const sorted = [...children].toSorted(([one], [other]) => Number(one) - Number(other))
    return sorted.map(([, node]) => valueOf(node))
  }
  return Object.fromEntries([...children].map(([key, node]) => [key, valueOf(node)]))
}

/** Expands dotted keys of objects in lists, as exports of Phoenix write messages. */
function undot(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return depth > MAX_DEPTH ? [] : value.map((one) => undot(one, depth + 1))
  if (!isJsonObject(value) || !Object.keys(value).some((key) => /^[a-z_]+\.[a-z_0-9.]+$/.test(key))) return value
  const root = createNode()
  for (const [key, part] of Object.entries(value))
    setAt(root, key.split("."), depth > MAX_DEPTH ? undefined : undot(part, depth + 1))
  return valueOf(root)
}
