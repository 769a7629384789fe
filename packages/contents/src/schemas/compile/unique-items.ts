import { canonicalDecimal, isExactNumber } from "@assay/schemas/numbers"
import type { FuncKeywordDefinition } from "ajv"

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
