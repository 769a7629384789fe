import type { ProfileColumn } from "@assay/schemas"
import { valueText } from "../../../documents/value-text.ts"

/** Maximum number of characters in a cell. The view of a whole row shows all of them. */
const MAX_CELL = 400

/** Returns a value as the text of a cell. Nothing is an empty cell; null is a word. */
export function cellText(value: unknown): string {
  if (value === undefined) return ""
  const text = valueText(value)
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL).toWellFormed()}…` : text
}

/** Returns the word for the type of a value, as profiles use it. */
export function typeOf(value: unknown): string {
  if (value === undefined) return "missing"
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value
}

/** Returns whether all values of a column are numbers, apart from null. */
export function isNumeric({ types }: Pick<ProfileColumn, "types">): boolean {
  const found = Object.entries(types).filter(([name, count]) => count > 0 && name !== "null")
  return found.length > 0 && found.every(([name]) => name === "integer" || name === "number")
}
