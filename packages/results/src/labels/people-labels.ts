import { digestNumber } from "../rows/output-digest.ts"
import { meanOf } from "@assay/metrics"
import type { LabelRow } from "@assay/schemas"

/** The labels of people for one pair of item and output. */
export interface PeopleLabel {
  /** The mean over authors, the last label of each. */
  readonly label: number
  /** How likely the row was drawn; null if somebody picked it. */
  readonly probability: number | null
  /** The draw that the row is from; null if it is not known. */
  readonly draw: string | null
}

/** Returns what people say about a score, by number of the digest. A row that anybody drew counts as drawn. */
export function peopleLabels(rows: readonly LabelRow[], score: string): ReadonlyMap<number, PeopleLabel> {
  const about = rows.filter(({ metric }) => metric === score)
  const byDigest = Map.groupBy(about, ({ digest }) => digestNumber(digest))
  return new Map(
    [...byDigest].map(([digest, given]) => {
      // Later lines replace earlier ones of the same author.
      const last = [...new Map(given.map((row) => [row.author, row])).values()]
      const label = meanOf(last.map((row) => row.label))
      const { probability = null, draw = null } = given.findLast((row) => row.probability !== null) ?? {}
      return [digest, { label, probability, draw }]
    }),
  )
}

/** Returns the draw of each label, by number of the digest. */
export function drawsOf(people: ReadonlyMap<number, PeopleLabel>): ReadonlyMap<number, string | null> {
  return new Map([...people].map(([digest, { draw }]) => [digest, draw]))
}
