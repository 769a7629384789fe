import { checkArgument } from "../check-argument.ts"
import { kappaOfTable, type Agreement } from "./kappa-of-table.ts"

export type Label = string | number | boolean

/**
 * How much two raters agree beyond chance: Cohen's kappa, unweighted, of the labels that they gave to the same rows. Labels
 * are equal when they are the same value. Throws `invalid_request` for lists of different lengths.
 */
export function cohenKappa(a: readonly Label[], b: readonly Label[]): Agreement {
  checkArgument(a.length === b.length, "b", b.length, `as many labels as there are in a: ${a.length}`)
  const places = new Map([...new Set([...a, ...b])].map((label, at) => [label, at]))
  const table = Array.from(places, () => Array.from(places, () => 0))
  for (const [at, label] of a.entries()) {
    const row = table[places.get(label) ?? 0]
    const column = places.get(b[at] ?? label) ?? 0
    if (row !== undefined) row[column] = (row[column] ?? 0) + 1
  }
  return kappaOfTable(table)
}
