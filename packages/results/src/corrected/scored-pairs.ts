import type { JudgedPair, RowValues } from "@assay/metrics"
import type { PeopleLabel } from "../labels/people-labels.ts"

/** The values of a score in one job, and the digests to which labels belong. */
interface ScoredSide {
  readonly values: RowValues
  readonly digests: RowValues
}

/** The values of a score in two jobs. */
export interface ScoredSides {
  readonly baseline: ScoredSide
  readonly job: ScoredSide
  /** The number of each row's group; null if rows have no groups. */
  readonly groups: RowValues | null
  /** Whether a row asks the same in both jobs. */
  readonly isSameRow: (row: number) => boolean
}

/** Two outputs for one row and repeat, each with its score. */
export interface ScoredPair extends JudgedPair {
  readonly row: number
  readonly repeat: number
  /** The numbers of the digests of item and output. */
  readonly digests: readonly [baseline: number, job: number]
}

export interface LabelsOfPairs {
  /** By number of the digest. */
  readonly people: ReadonlyMap<number, PeopleLabel>
  /** Whether labels of picked rows count too, as if they had been drawn. */
  readonly withPicked: boolean
  /** Whether people have labelled all rows on which the judge sees a difference, so that these are not a sample of the others. Default false. */
  readonly knowsFlips?: boolean
}

/** Returns whether the judge sees a difference between two outputs. */
export function isFlip({ scores, isSame }: Pick<ScoredPair, "scores" | "isSame">): boolean {
  return !isSame && scores[0] !== scores[1]
}

function knownBy(people: LabelsOfPairs["people"], digests: ScoredPair["digests"]): number | undefined {
  const [a, b] = digests.map((digest) => people.get(digest)?.label)
  return a === undefined || b === undefined ? undefined : b - a
}

/**
 * Returns the rows and repeats that both jobs scored. Repeats of a row, and rows of a group, share a cluster number. Nothing is kept: each iteration
 * reads the values anew.
 */
export function scoredPairs(
  { baseline, job, groups, isSameRow }: ScoredSides,
  { people, withPicked, knowsFlips = false }: LabelsOfPairs,
): Iterable<ScoredPair> {
  const rows = Math.max(baseline.values.rows, job.values.rows)
  const repeats = Math.max(baseline.values.repeats, job.values.repeats)
  const labelOf = (digest: number): JudgedPair["labels"][0] => {
    const { label, probability = null } = people.get(digest) ?? {}
    if (label === undefined || (probability === null && !withPicked)) return undefined
    return { label, probability: probability ?? 1 }
  }
  function* pairs(): Generator<ScoredPair, void, undefined> {
    for (let row = 0; row < rows; row++) {
      if (!isSameRow(row)) continue
      for (let repeat = 0; repeat < repeats; repeat++) {
        const scores = [baseline.values.get(row, repeat), job.values.get(row, repeat)] as const
        if (scores.some((score) => !Number.isFinite(score))) continue
        const digests = [baseline.digests.get(row, repeat), job.digests.get(row, repeat)] as const
        const group = groups?.get(row, 0)
        const cluster = group ?? (repeats > 1 ? row : undefined)
        const labels = [labelOf(digests[0]), labelOf(digests[1])] as const
        const given = { row, repeat, scores, digests, labels, isSame: digests[0] === digests[1], cluster }
        yield knowsFlips && isFlip(given) ? { ...given, known: knownBy(people, digests) } : given
      }
    }
  }
  return { [Symbol.iterator]: pairs }
}
