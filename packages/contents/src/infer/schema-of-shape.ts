import type { JsonSchema } from "../schemas/json-schema.ts"
import { JSON_TYPES } from "../schemas/json-type.ts"
import type { Shape } from "./shape.ts"

/** Strings are choices only where each has been seen so often, and all of them together. */
const TIMES_EACH = 5
const TIMES_TOGETHER = 20

/** The schema that says what `shape` has seen, and no more: every value that it was made from satisfies it. */
export function schemaOfShape(shape: Shape): JsonSchema {
  const types = typesOf(shape)
  const [type] = types
  if (type === undefined) return {}
  return {
    type: types.length === 1 ? type : types,
    ...choicesOf(shape),
    ...(shape.properties.size === 0 ? {} : propertiesOf(shape)),
    ...(shape.items === undefined || shape.items.count === 0 ? {} : { items: schemaOfShape(shape.items) }),
  }
}

/** `number` takes in `integer`. */
function typesOf({ types }: Shape): readonly string[] {
  return JSON_TYPES.filter((type) => types.has(type) && !(type === "integer" && types.has("number")))
}

function choicesOf({ types, choices, count }: Shape): JsonSchema {
  if (choices === undefined || types.size !== 1 || !types.has("string")) return {}
  if (count < TIMES_TOGETHER || count < TIMES_EACH * choices.size) return {}
  return { enum: [...choices].toSorted() }
}

function propertiesOf({ properties, objects }: Shape): JsonSchema {
  const required = [...properties].filter(([, property]) => property.count === objects).map(([name]) => name)
  return {
    properties: Object.fromEntries([...properties].map(([name, property]) => [name, schemaOfShape(property)])),
    ...(required.length === 0 ? {} : { required }),
  }
}
