import { isDecimalMultiple, canonicalDecimal, isExactNumber } from "@assay/schemas/numbers"
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

/** `uniqueItems` in time linear in the items: Ajv's own compares each with each. */
export const linearUniqueItems: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  compile: (isAsked: boolean) => (items: readonly unknown[]) => !isAsked || areUnique(items),
  error: { message: "must NOT have equal items" },
}

/** Whether no two items are equal. */
export function areUnique(items: readonly unknown[]): boolean {
  const seen = new Set<string>()
  return items.every((item) => {
    const size = seen.size
    return seen.add(canonicalText(item)).size > size
  })
}

/** The same text for what is equal, whatever the order of its keys. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (isExactNumber(value)) return canonicalDecimal(value.rawJSON)
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalText(part)}`).join()}}`
}
