import type { JudgedPair } from "@assay/metrics"
import type { Draw } from "./seeded-random.ts"

/** How often a judge passes a good answer, and how often it fails a bad one. */
export type Judge = readonly [sensitivity: number, specificity: number]

/** Two models whose answers a judge scores, and what people would say about them. */
export interface TwoModels {
  /** The share of good answers, in the eyes of people. */
  readonly rates: readonly [a: number, b: number]
  readonly judges: readonly [a: Judge, b: Judge]
  /** The share of rows for which B is as good or as bad as A because the row is easy or hard. */
  readonly together: number
  /** The share of rows whose outputs are the same. Default 0. */
  readonly same?: number
  /** Rows of a document, which share how hard it is. Default: each row is on its own. */
  readonly documents?: number
}

export interface JudgedRow {
  readonly people: readonly [a: number, b: number]
  readonly scores: readonly [a: number, b: number]
  readonly isSame: boolean
  readonly cluster: number | undefined
}

const chance = (share: number, draw: Draw) => (draw() < share ? 1 : 0)

/** Draws rows. How good an answer is comes from a number that both models share for some rows, and documents for all of theirs. */
export function drawRows(
  { rates, judges, together, same = 0, documents }: TwoModels,
  rows: number,
  draw: Draw,
): readonly JudgedRow[] {
  const shifts = Array.from({ length: documents ?? 0 }, () => draw())
  return Array.from({ length: rows }, (_, row) => {
    const cluster = documents === undefined ? undefined : row % documents
    const shift = cluster === undefined ? undefined : shifts[cluster]
    // Half of the rows of a document are as hard as the document.
    const hard = shift !== undefined && draw() < 0.5 ? shift : draw()
    const a = Number(hard < rates[0])
    const isSame = draw() < same
    const b = isSame ? a : Number((draw() < together ? hard : draw()) < rates[1])
    const judged = (people: number, [sensitivity, specificity]: Judge) =>
      people === 1 ? chance(sensitivity, draw) : 1 - chance(specificity, draw)
    return { people: [a, b], scores: [judged(a, judges[0]), judged(b, judges[1])], isSame, cluster }
  })
}

/** Returns the difference that people would see over all rows like these. */
export function truthOf({ rates, same = 0 }: TwoModels): number {
  return (1 - same) * (rates[1] - rates[0])
}

/** Returns the difference that people see over some rows. */
export function differenceOf(rows: readonly Pick<JudgedRow, "people">[]): number {
  return rows.reduce((sum, { people }) => sum + people[1] - people[0], 0) / rows.length
}

/** Draws rows for labels on both sides: the same rows, or others for each. */
export function labelRows(
  rows: readonly JudgedRow[],
  labels: number,
  areSame: boolean,
  draw: Draw,
): readonly JudgedPair[] {
  const chosen = () => {
    const keyed = rows.flatMap((row, at) => (row.isSame ? [] : [{ at, key: draw() }]))
    return new Set(
      keyed
        .toSorted((a, b) => a.key - b.key)
        .slice(0, labels)
        .map(({ at }) => at),
    )
  }
  const first = chosen()
  const drawn = [first, areSame ? first : chosen()] as const
  return rows.map(({ people, scores, isSame, cluster }, at) => {
    const labelOf = (side: 0 | 1) => (drawn[side].has(at) ? { label: people[side], probability: 1 } : undefined)
    return { scores, labels: [labelOf(0), labelOf(1)], isSame, cluster }
  })
}
