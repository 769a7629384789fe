import { sequentialDifference } from "@assay/metrics"
import type { PeopleLabel } from "../labels/people-labels.ts"
import type { DrawablePair, PairDraw } from "./pair-draw.ts"

export interface DecideInOrderOptions {
  readonly people: ReadonlyMap<number, PeopleLabel>
  /** Numbers of digests about which people are unsure, and that nobody labelled. */
  readonly unsure: ReadonlySet<number>
  /** Numbers of digests that somebody was asked about by this draw. Labels of other draws can be anywhere in its order. */
  readonly asked: ReadonlySet<number>
  /** The largest difference of two labels. */
  readonly span: number
  readonly margin: number
  readonly higherIsBetter: boolean
}

/** The decision of the labels of a draw so far. */
export interface DecidedInOrder extends ReturnType<typeof sequentialDifference> {
  /** Rows from the first one on that people have looked at, without a gap. */
  readonly answered: number
  /** Rows that lack a label, before a row with labels that were asked for by this draw. */
  readonly leftOpen: number
}

/** Compares two jobs by the labels of a draw, which count up to the first row that people have not looked at. */
export function decideInOrder(
  { order, totals }: PairDraw,
  { people, unsure, asked, span, margin, higherIsBetter }: DecideInOrderOptions,
): DecidedInOrder {
  const isKnown = (digest: number) => people.has(digest) || unsure.has(digest)
  const isAnswered = ({ pair: { digests } }: DrawablePair) => digests.every(isKnown)
  const gap = order.findIndex((one) => !isAnswered(one))
  const answered = gap === -1 ? order.length : gap
  const last = order.findLastIndex((one) => isAnswered(one) && one.pair.digests.some((digest) => asked.has(digest)))
  const drawn = order.slice(0, answered).map(({ pair, predicted, share }) => {
    const [a, b] = pair.digests.map((digest) => people.get(digest)?.label)
    return { predicted, share, difference: a === undefined || b === undefined ? undefined : b - a }
  })
  const found = sequentialDifference(drawn, { totals, span, margin, higherIsBetter })
  const leftOpen = order.slice(answered, last + 1).filter((one) => !isAnswered(one)).length
  return { ...found, answered, leftOpen }
}
