import { isDecimalMultiple, canonicalDecimal, isExactNumber } from "@assay/json"
import type { FuncKeywordDefinition } from "ajv"

/**
 * `multipleOf` for the decimal values that are written in a schema and a row. Ajv divides with rounding: it refuses 0.3
 * as a multiple of 0.1, and 1e21 as a multiple of 1.
 */
export const exactMultipleOf: FuncKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  compile: (limit: number) => (value: number) => isMultipleOf(value, limit),
  error: { message: ({ schema }) => `must be multiple of ${schema}` },
}

/**
 * Returns whether `value` is an integer multiple of `limit`, which is above 0. Exact for the decimals that both print
 * as.
 */
export function isMultipleOf(value: number, limit: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(limit)) return value % limit === 0
  return Number.isFinite(value) && Number.isFinite(limit) && isDecimalMultiple(String(value), String(limit))
}

/** `uniqueItems` in time linear in the number of items. Ajv's own version compares each item with every other. */
export const linearUniqueItems: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  compile: (isAsked: boolean) => (items: readonly unknown[]) => !isAsked || areUnique(items),
  error: { message: "must NOT have equal items" },
}

/** Returns whether all items are different. */
export function areUnique(items: readonly unknown[]): boolean {
  const seen = new Set<string>()
  return items.every((item) => {
    const size = seen.size
    return seen.add(canonicalText(item)).size > size
  })
}

/** Returns the same text for equal values, with their keys in any order and their numbers in any notation. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (isExactNumber(value)) return canonicalDecimal(value.rawJSON)
  if (typeof value === "number" && Number.isFinite(value)) return canonicalDecimal(String(value))
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalText(part)}`).join()}}`
}
