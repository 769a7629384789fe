import { type JudgedPair, labelBalance } from "@assay/metrics"
import { drawsOf, type PeopleLabel } from "../labels/people-labels.ts"
import { countLeftOpen } from "../row-index/labels/left-open.ts"
import type { ScoredPair } from "./scored-pairs.ts"

/** Counts the rows of both sides that were drawn before a row with a label and have none. Rows with the same output on both sides need none. */
export function leftOpenOf(pairs: Iterable<ScoredPair>, people: ReadonlyMap<number, PeopleLabel>): number {
  const draws = new Map(drawsOf(people))
  for (const { digests, isSame } of pairs) if (isSame) draws.set(digests[0], null)
  const countOf = (side: 0 | 1) =>
    countLeftOpen(
      (visit) => {
        for (const { digests, scores } of pairs) visit(digests[side], scores[side])
      },
      ownDraws(pairs, draws, side),
    )
  return countOf(0) + countOf(1)
}

/** Keeps the draws of labels of one side. A label of the other side says nothing about which rows of this one were drawn. */
function ownDraws(pairs: Iterable<ScoredPair>, draws: ReadonlyMap<number, string | null>, side: 0 | 1) {
  const own = new Map<number, string | null>()
  for (const { digests } of pairs) {
    const draw = draws.get(digests[side])
    if (draw !== undefined) own.set(digests[side], draw)
  }
  return own
}

/** Counts the labels of each side that are about rows that differ, without rows whose difference is known. */
export function labelsOf(pairs: Iterable<ScoredPair>): readonly [baseline: number, job: number] {
  const found = [new Set<number>(), new Set<number>()] as const
  for (const { labels, isSame, known, digests } of pairs) {
    if (isSame || known !== undefined) continue
    if (labels[0] !== undefined) found[0].add(digests[0])
    if (labels[1] !== undefined) found[1].add(digests[1])
  }
  return [found[0].size, found[1].size]
}

/** Fewer than one in 200 random samples is as unlike all rows. */
const UNLIKELY = 0.005

/** Returns the sides on which the judge scores the rows with labels differently from all rows that differ. */
export function unlikeSides(pairs: Iterable<ScoredPair>): readonly (0 | 1)[] {
  return ([0, 1] as const).filter((side) => {
    const labelled: { score: number; label: number; probability: number }[] = []
    const sums = { rows: 0, sum: 0, squares: 0, low: Infinity, high: -Infinity }
    for (const { scores, labels, isSame, known } of pairs) {
      if (isSame || known !== undefined) continue
      const score = scores[side]
      sums.rows++
      sums.sum += score
      sums.squares += score * score
      sums.low = Math.min(sums.low, score)
      sums.high = Math.max(sums.high, score)
      const given: JudgedPair["labels"][0] = labels[side]
      if (given !== undefined) labelled.push({ score, ...given })
    }
    if (labelled.length === 0) return false
    const mean = sums.sum / sums.rows
    const deviation = Math.sqrt(Math.max(0, sums.squares / sums.rows - mean * mean))
    return labelBalance(labelled, { rows: sums.rows, mean, scores: [sums.low, sums.high] }, deviation) < UNLIKELY
  })
}
