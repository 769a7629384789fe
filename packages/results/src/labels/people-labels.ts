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
  const people = [...labelsByAuthor(rows, score)].flatMap(([digest, last]): [number, PeopleLabel][] => {
    const given = [...last.values()].filter((row) => row.label !== null)
    if (given.length === 0) return []
    const label = meanOf(given.flatMap((row) => row.label ?? []))
    const { probability = null, draw = null } = given.findLast((row) => row.probability !== null) ?? {}
    return [[digest, { label, probability, draw }]]
  })
  return new Map(people)
}

/** The last label of each author for one pair of item and output. Those that were taken back are left out. */
type LabelsByAuthor = ReadonlyMap<string | null, LabelRow>

/** Returns the labels of a score that count, by number of the digest and by author. */
export function labelsByAuthor(rows: readonly LabelRow[], score: string): ReadonlyMap<number, LabelsByAuthor> {
  const about = rows.filter(({ metric }) => metric === score)
  const byDigest = Map.groupBy(about, ({ digest }) => digestNumber(digest))
  return new Map(
    [...byDigest].map(([digest, given]) => {
      // Later lines replace earlier ones of the same author.
      const last = new Map(given.map((row) => [row.author, row]))
      return [digest, new Map([...last].filter(([, { withdrawn }]) => withdrawn !== true))]
    }),
  )
}

/** Returns the digests about which somebody is unsure, and that nobody labelled. */
export function unsureDigests(labels: ReadonlyMap<number, LabelsByAuthor>): readonly number[] {
  return [...labels].flatMap(([digest, last]) =>
    last.size > 0 && last.values().every(({ label }) => label === null) ? [digest] : [],
  )
}

/** Returns the draw of each label, by number of the digest. */
export function drawsOf(people: ReadonlyMap<number, PeopleLabel>): ReadonlyMap<number, string | null> {
  return new Map([...people].map(([digest, { draw }]) => [digest, draw]))
}
