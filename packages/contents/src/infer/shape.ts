import { jsonTypeOf, type JsonType } from "../schemas/json-type.ts"

/** What the values at one place have had in common so far. */
export interface Shape {
  readonly types: Set<JsonType>
  count: number
  /** How many of them are objects. */
  objects: number
  readonly properties: Map<string, Shape>
  /** All elements of all arrays. */
  items: Shape | undefined
  /** The different strings; undefined once there are too many, or too long ones, to be choices. */
  choices: Set<string> | undefined
}

/** Deeper values, and further properties of one object, may be anything. */
const DEEPEST = 20
const MAX_PROPERTIES = 1000
const MAX_CHOICES = 10
const LONGEST_CHOICE = 50

export function createShape(): Shape {
  return { types: new Set(), count: 0, objects: 0, properties: new Map(), items: undefined, choices: new Set() }
}

/** Lets `shape` take in `value`. */
export function observe(shape: Shape, value: unknown, depth = 0): void {
  const type = jsonTypeOf(value)
  shape.count++
  shape.types.add(type)
  if (typeof value === "string") addChoice(shape, value)
  if (type === "object") shape.objects++
  if (depth === DEEPEST) return
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
  if (text.length > LONGEST_CHOICE || (shape.choices?.size ?? 0) > MAX_CHOICES) shape.choices = undefined
}
