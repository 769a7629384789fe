import { type SchemaOptions, Type } from "@sinclair/typebox"
import { NUMBER_RANGES, type Quantity } from "@assay/json"

/** Creates the schema of a number from outside. @param options a narrower range, a default, a description */
export function numberField(quantity: Quantity, options: SchemaOptions = {}) {
  const { type, ...range } = NUMBER_RANGES[quantity]
  return type === "integer" ? Type.Integer({ ...range, ...options }) : Type.Number({ ...range, ...options })
}
