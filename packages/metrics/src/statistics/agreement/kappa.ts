import { checkArgument } from "../check-argument.ts"
import { shareOf } from "./classification.ts"

export type Label = string | number | boolean

/**
 * Measures how much two raters agree beyond chance: unweighted Cohen's kappa of the labels that they gave to the same rows.
 * Labels are equal if they are the same value. Throws `invalid_request` for lists of different lengths.
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

export interface Agreement {
  /** 1 is full agreement, 0 is agreement by chance. Null if chance alone would give full agreement. */
  readonly kappa: number | null
  /** The share of rows with equal labels. Null without rows. */
  readonly agreement: number | null
}

/**
 * Computes unweighted Cohen's kappa from a table that counts in row i and column j how often A said i and B said j.
 * Source: Cohen, Educational and Psychological Measurement 20 (1960), 37–46. Throws `invalid_request`.
 */
export function kappaOfTable(table: readonly (readonly number[])[]): Agreement {
  const columns = new Float64Array(table.length)
  let total = 0
  let same = 0
  for (const [at, row] of table.entries()) {
    checkArgument(
      row.length === table.length,
      "table",
      row.length,
      `as many columns as rows, which are ${table.length}`,
    )
    for (const [column, count] of row.entries()) {
      checkArgument(count >= 0, "table", count, "counts, 0 or more")
      columns[column] = (columns[column] ?? 0) + count
      total += count
    }
    same += row[at] ?? 0
  }
  if (total === 0) return { kappa: null, agreement: null }
  const byChance = table.reduce(
    (sum, row, at) => sum + row.reduce((rowSum, count) => rowSum + count, 0) * (columns[at] ?? 0),
    0,
  )
  return { kappa: shareOf(same * total - byChance, total * total - byChance), agreement: same / total }
}
