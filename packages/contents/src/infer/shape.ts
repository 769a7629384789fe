import { isExactNumber } from "@assay/json"
import { jsonTypeOf, JSON_TYPES, type JsonType, type JsonSchema } from "../schemas/json-schema.ts"
import { mixedTypes, shortJson } from "./near-types.ts"

/** The common properties of the values at one location. */
export interface Shape {
  /** Number of values of each type. */
  readonly types: Map<JsonType, number>
  /** The first value of each type, as short JSON. */
  readonly examples: Map<JsonType, string>
  /** A remark on the type, for readers of the schema. */
  comment: string | undefined
  count: number
  /** Number of values that are objects. */
  objects: number
  readonly properties: Map<string, Shape>
  /** The shape of all elements of all arrays. */
  items: Shape | undefined
  /** The distinct strings. Undefined if they are too many or too long for an `enum`. */
  choices: Set<string> | undefined
}

/** Values nested deeper, and further properties of an object, are not constrained. */
const MAX_DEPTH = 20
const MAX_PROPERTIES = 1000
const MAX_CHOICES = 10
const MAX_CHOICE_CHARACTERS = 50

export function createShape(): Shape {
  return {
    types: new Map(),
    examples: new Map(),
    comment: undefined,
    count: 0,
    objects: 0,
    properties: new Map(),
    items: undefined,
    choices: new Set(),
  }
}

/** Adds `value` to `shape`. */
export function observe(shape: Shape, value: unknown, depth = 0): void {
  const type = jsonTypeOf(value)
  shape.count++
  shape.types.set(type, (shape.types.get(type) ?? 0) + 1)
  if (!shape.examples.has(type)) shape.examples.set(type, isExactNumber(value) ? value.rawJSON : shortJson(value))
  if (typeof value === "string") addChoice(shape, value)
  if (type === "object") shape.objects++
  if (depth === MAX_DEPTH) return
  if (Array.isArray(value)) {
    const items = (shape.items ??= createShape())
    for (const item of value) observe(items, item, depth + 1)
  } else if (type === "object") {
    for (const [name, part] of Object.entries(value as object)) {
      const known = shape.properties.get(name)
      if (known === undefined && shape.properties.size >= MAX_PROPERTIES) continue
      const property = known ?? createShape()
      shape.properties.set(name, property)
      observe(property, part, depth + 1)
    }
  }
}

function addChoice(shape: Shape, text: string): void {
  shape.choices?.add(text)
  if (text.length > MAX_CHOICE_CHARACTERS || (shape.choices?.size ?? 0) > MAX_CHOICES) shape.choices = undefined
}

/**
 * Strings become an `enum` if each value occurred at least `MIN_TIMES_EACH` times on average, and all together at least
 * `MIN_TIMES_TOGETHER` times.
 */
const MIN_TIMES_EACH = 5
const MIN_TIMES_TOGETHER = 20

/** Returns the narrowest schema for `shape`. Every observed value satisfies it. */
export function schemaOfShape(shape: Shape): JsonSchema {
  const types = typesOf(shape)
  const comment = shape.comment ?? mixedTypes(shape.types, shape.examples)
  const [type] = types
  if (type === undefined) return {}
  return {
    type: types.length === 1 ? type : types,
    ...(comment === undefined ? {} : { $comment: comment }),
    ...choicesOf(shape),
    ...(shape.properties.size === 0 ? {} : propertiesOf(shape)),
    ...(shape.items === undefined || shape.items.count === 0 ? {} : { items: schemaOfShape(shape.items) }),
  }
}

/** Lists the types. `number` includes `integer`. */
function typesOf({ types }: Shape): readonly string[] {
  return JSON_TYPES.filter((type) => types.has(type) && !(type === "integer" && types.has("number")))
}

function choicesOf({ types, choices, count }: Shape): JsonSchema {
  if (choices === undefined || types.size !== 1 || !types.has("string")) return {}
  if (count < MIN_TIMES_TOGETHER || count < MIN_TIMES_EACH * choices.size) return {}
  return { enum: [...choices].toSorted() }
}

function propertiesOf({ properties, objects }: Shape): JsonSchema {
  const required = [...properties].filter(([, property]) => property.count === objects).map(([name]) => name)
  return {
    properties: Object.fromEntries([...properties].map(([name, property]) => [name, schemaOfShape(property)])),
    ...(required.length === 0 ? {} : { required }),
  }
}
