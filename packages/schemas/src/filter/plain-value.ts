import type { FilterSyntax } from "./filter-syntax.ts"

/** What was written, as a JSON value: the `input` of an error. */
export function plainValue(syntax: FilterSyntax): unknown {
  if (syntax.kind === "scalar") return syntax.value
  if (syntax.kind === "untyped") return syntax.text
  if (syntax.kind === "list") return syntax.items.map(plainValue)
  return Object.fromEntries(syntax.entries.map(({ key, value }) => [key, plainValue(value)]))
}
