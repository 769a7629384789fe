import type { RowValues } from "@assay/metrics"
import type { QuarantinedRows } from "@assay/schemas"
import type { PairedValues } from "../compare/compare-score.ts"

/** If a larger share of the rows flips, none is excused: the answers are random, and a regression would be hidden. */
const MAX_SHARE = 0.2
const MAX_NAMED = 50

/**
 * Returns the rows whose repeats are partly 0 and partly 1. They flip by themselves. Rows that were asked once, and scores with other values, have none.
 */
export function flippingRows(values: RowValues): ReadonlySet<number> {
  const found = new Set<number>()
  if (values.repeats < 2) return found
  for (let row = 0; row < values.rows; row++) {
    const given = Array.from({ length: values.repeats }, (_, repeat) => values.get(row, repeat))
    if (given.some((value) => value !== 0 && value !== 1 && !Number.isNaN(value))) return new Set()
    if (given.includes(0) && given.includes(1)) found.add(row)
  }
  return found
}

/**
 * Excuses rows in quarantine that got worse: they get the values of the older results, so that their difference is 0. A row that got better stays as it is: if
 * it were left out as well, rows that the older version answered well by chance would look like regressions of a version that did not change.
 */
export function excuse(
  pairs: PairedValues,
  flipping: ReadonlySet<number>,
  higherIsBetter: boolean,
): { readonly pairs: PairedValues; readonly quarantine: QuarantinedRows | undefined } {
  const { a, b, rows } = pairs
  const gains = new Map<number, number>()
  for (const [at, row] of rows.entries()) {
    const gain = ((b[at] ?? 0) - (a[at] ?? 0)) * (higherIsBetter ? 1 : -1)
    gains.set(row, (gains.get(row) ?? 0) + gain)
  }
  const shared = [...flipping].filter((row) => gains.has(row))
  if (shared.length === 0) return { pairs, quarantine: undefined }
  const worse = new Set(shared.filter((row) => (gains.get(row) ?? 0) < 0))
  const isTooMany = shared.length > MAX_SHARE * gains.size
  const quarantine = {
    rows: shared.slice(0, MAX_NAMED),
    total: shared.length,
    excused: isTooMany ? 0 : worse.size,
    too_many: isTooMany,
  }
  if (isTooMany) return { pairs, quarantine }
  return {
    pairs: { ...pairs, b: b.map((value, at) => (worse.has(rows[at] ?? -1) ? (a[at] ?? 0) : value)) },
    quarantine,
  }
}
