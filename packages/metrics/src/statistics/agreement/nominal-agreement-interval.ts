import { createRandom } from "../create-random.ts"
import { quantileOf } from "../intervals/bootstrap-interval.ts"
import { gammaVariate } from "../distributions/gamma-variates.ts"
import type { Interval } from "../intervals/interval.ts"

/** Counts in row i and column j how often A said i and B said j. */
export type LabelTable = readonly (readonly number[])[]

/** More labels make the table too sparse for the prior. */
export const MAX_TABLE_LABELS = 12

const DRAWS = 1000

/**
 * Returns intervals of agreements between two raters that a table of labels gives, such as kappa. They hold from a few rows on, and also if all labels
 * are equal: tables are drawn that could have given this one, and each interval ends at quantiles of their agreement.
 *
 * The share of equal labels is drawn like the ends of Clopper and Pearson's interval: Beta(s, f + 1) for the lower end and Beta(s + 1, f) for the upper one.
 * The shares of cells among equal and among different labels are drawn from Dirichlet distributions with 1 added to each cell. Null for a single label.
 * Sources: Clopper and Pearson, Biometrika 26 (1934); Hannig, "On generalized fiducial inference", Statistica Sinica 19 (2009), 491–544.
 * The coverage is simulated in `npm run bench -- decide`.
 *
 * @param agreements each returns the agreement of a table of shares; null if it has none
 * @returns an interval for each of them
 */
export function nominalAgreementIntervals(
  table: LabelTable,
  agreements: readonly ((shares: LabelTable) => number | null)[],
  { confidence = 0.95, seed = 0 }: { readonly confidence?: number; readonly seed?: number } = {},
): readonly (Interval | null)[] {
  const { length } = table
  const same = table.reduce((sum, row, at) => sum + (row[at] ?? 0), 0)
  const different = table.flat().reduce((sum, count) => sum + count, 0) - same
  if (length < 2 || same + different === 0) return agreements.map(() => null)
  const random = createRandom(seed)
  const ends = agreements.map(() => ({ lows: [] as number[], highs: [] as number[] }))
  for (let draw = 0; draw < DRAWS; draw++) {
    const cells = table.map((row) => row.map((count) => gammaVariate(count + 1, random)))
    const sums = sumsOf(cells)
    const [equal, other] = [gammaOf(same, random), gammaOf(different, random)]
    const [equalMore, otherMore] = [gammaOf(same + 1, random), gammaOf(different + 1, random)]
    const low = sharesOf(cells, sums, equal / (equal + otherMore))
    const high = sharesOf(cells, sums, equalMore / (equalMore + other))
    for (const [at, agreementOf] of agreements.entries()) {
      addNumber(ends[at]?.lows, agreementOf(low))
      addNumber(ends[at]?.highs, agreementOf(high))
    }
  }
  const tail = (1 - confidence) / 2
  return ends.map(({ lows, highs }) => {
    if (lows.length === 0 || highs.length === 0) return null
    const [low, high] = [quantileOf(sortNumbers(lows), tail), quantileOf(sortNumbers(highs), 1 - tail)]
    return { low, high, confidence, method: "fiducial" }
  })
}

/** Returns a table whose equal labels have a share, from cells of both kinds. */
function sharesOf(cells: LabelTable, sums: ReturnType<typeof sumsOf>, share: number): LabelTable {
  return cells.map((row, i) =>
    row.map((cell, j) => (i === j ? (share * cell) / sums.same : ((1 - share) * cell) / sums.different)),
  )
}

function addNumber(to: number[] | undefined, value: number | null): void {
  if (value !== null) to?.push(value)
}

function sortNumbers(values: readonly number[]): Float64Array {
  return Float64Array.from(values).toSorted()
}

/** Returns 0 for a shape of 0, whose distribution has all of its mass there. */
function gammaOf(shape: number, random: () => number): number {
  return shape === 0 ? 0 : gammaVariate(shape, random)
}

function sumsOf(cells: LabelTable): { readonly same: number; readonly different: number } {
  const same = cells.reduce((sum, row, at) => sum + (row[at] ?? 0), 0)
  return { same, different: cells.flat().reduce((sum, cell) => sum + cell, 0) - same }
}
