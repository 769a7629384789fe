import { isDecimalMultiple } from "@assay/schemas/numbers"
import type { FuncKeywordDefinition } from "ajv"

/**
 * `multipleOf` on the decimal values that a schema and a row write. Ajv divides with rounding: it refuses 0.3 as a multiple
 * of 0.1, and 1e21 as a multiple of 1.
 */
export const exactMultipleOf: FuncKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  compile: (limit: number) => (value: number) => isMultipleOf(value, limit),
  error: { message: ({ schema }) => `must be multiple of ${schema}` },
}

/** Returns whether `value` is a whole number of times `limit`, which is above 0. Exact for the decimals that the two print as. */
export function isMultipleOf(value: number, limit: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(limit)) return value % limit === 0
  return Number.isFinite(value) && Number.isFinite(limit) && isDecimalMultiple(String(value), String(limit))
}
