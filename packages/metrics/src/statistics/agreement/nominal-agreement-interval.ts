import { createRandom } from "../create-random.ts"
import { quantileOf } from "../intervals/bootstrap-interval.ts"
import { gammaVariate } from "../distributions/gamma-variates.ts"
import type { Interval } from "../intervals/interval.ts"

/** Counts in row i and column j how often A said i and B said j. */
export type LabelTable = readonly (readonly number[])[]

/** More labels make the table too sparse for the prior. */
export const MAX_TABLE_LABELS = 12

const DRAWS = 2000

/**
 * Returns an interval of an agreement between two raters that a table of labels gives, such as kappa. It holds from a few rows on, and also if all labels
 * are equal: tables are drawn that could have given this one, and the interval ends at quantiles of their agreement.
 *
 * The share of equal labels is drawn like the ends of Clopper and Pearson's interval: Beta(s, f + 1) for the lower end and Beta(s + 1, f) for the upper one.
 * The shares of cells among equal and among different labels are drawn from Dirichlet distributions with 1 added to each cell. Null for a single label.
 * Sources: Clopper and Pearson, Biometrika 26 (1934); Hannig, "On generalized fiducial inference", Statistica Sinica 19 (2009), 491–544.
 * The coverage is simulated in `npm run bench -- decide`.
 *
 * @param agreementOf returns the agreement of a table of shares; null if it has none
 */
export function nominalAgreementInterval(
  table: LabelTable,
  agreementOf: (shares: LabelTable) => number | null,
  { confidence = 0.95, seed = 0 }: { readonly confidence?: number; readonly seed?: number } = {},
): Interval | null {
  const { length } = table
  const same = table.reduce((sum, row, at) => sum + (row[at] ?? 0), 0)
  const different = table.flat().reduce((sum, count) => sum + count, 0) - same
  if (length < 2 || same + different === 0) return null
  const random = createRandom(seed)
  const ends: readonly [number[], number[]] = [[], []]
  for (let draw = 0; draw < DRAWS; draw++) {
    const cells = table.map((row) => row.map((count) => gammaVariate(count + 1, random)))
    const sums = sumsOf(cells)
    const [equal, other] = [gammaOf(same, random), gammaOf(different, random)]
    const [equalMore, otherMore] = [gammaOf(same + 1, random), gammaOf(different + 1, random)]
    for (const [at, share] of [equal / (equal + otherMore), equalMore / (equalMore + other)].entries()) {
      const shares = cells.map((row, i) =>
        row.map((cell, j) => (i === j ? (share * cell) / sums.same : ((1 - share) * cell) / sums.different)),
      )
      const agreement = agreementOf(shares)
      if (agreement !== null) ends[at]?.push(agreement)
    }
  }
  const [lows, highs] = ends.map((values) => Float64Array.from(values).toSorted())
  if (lows === undefined || highs === undefined || lows.length === 0 || highs.length === 0) return null
  const tail = (1 - confidence) / 2
  return { low: quantileOf(lows, tail), high: quantileOf(highs, 1 - tail), confidence, method: "fiducial" }
}

/** Returns 0 for a shape of 0, whose distribution has all of its mass there. */
function gammaOf(shape: number, random: () => number): number {
  return shape === 0 ? 0 : gammaVariate(shape, random)
}

function sumsOf(cells: LabelTable): { readonly same: number; readonly different: number } {
  const same = cells.reduce((sum, row, at) => sum + (row[at] ?? 0), 0)
  return { same, different: cells.flat().reduce((sum, cell) => sum + cell, 0) - same }
}
