import type { JsonSchema } from "@assay/contents"
import { isObject } from "@assay/json"

/** A column as the datasets library describes it. */
export interface Feature {
  readonly feature_idx: number
  readonly name: string
  readonly type: unknown
}

const DTYPES: Readonly<Record<string, string>> = {
  integer: "int64",
  number: "float64",
  string: "string",
  boolean: "bool",
  null: "null",
}

/** Maximum nesting of a described type. */
const MAX_DEPTH = 20

/** Describes the columns of rows by a JSON Schema that they satisfy. */
export function featuresOf(schema: JsonSchema): readonly Feature[] {
  const properties = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : []
  return properties.map(([name, part], feature_idx) => ({ feature_idx, name, type: typeOf(part, 0) }))
}

/** Returns the type of a value. Values of more than one type are JSON. */
function typeOf(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH) return { _type: "Json" }
  const { type, properties, items } = schema
  const types = [type].flat().filter((one) => one !== "null")
  const [only] = types.length === 0 && [type].flat().includes("null") ? ["null"] : types
  if (types.length > 1 || typeof only !== "string") return { _type: "Json" }
  const dtype = Object.hasOwn(DTYPES, only) ? DTYPES[only] : undefined
  if (dtype !== undefined) return { dtype, _type: "Value" }
  if (only === "array") return { feature: items === undefined ? NOTHING : typeOf(items, depth + 1), _type: "List" }
  const parts = isObject(properties) ? Object.entries(properties) : []
  if (only !== "object" || parts.length === 0) return { _type: "Json" }
  return Object.fromEntries(parts.map(([name, part]) => [name, typeOf(part, depth + 1)]))
}

const NOTHING = { dtype: "null", _type: "Value" }
