import type { CorrectedDifference } from "@assay/schemas"
import { labelsByAuthor, type PeopleLabel, unsureDigests } from "../labels/people-labels.ts"
import { decideInOrder } from "./decide-in-order.ts"
import { drawPairs } from "./pair-draw.ts"
import { formatPairDraw } from "../row-index/labels/pair-draw-id.ts"
import { type CorrectPairOptions, factsOf } from "./pair-facts.ts"
import { digestNumber } from "../rows/output-digest.ts"
import type { ScoredPair } from "./scored-pairs.ts"

interface SequenceInput extends CorrectPairOptions {
  readonly people: ReadonlyMap<number, PeopleLabel>
  readonly seed: number
}

/** The findings of the labels of a draw of two jobs. */
export interface SequenceCorrection {
  readonly corrected: CorrectedDifference
  /** Rows that differ and that people have looked at, from the first one of the draw on. */
  readonly answered: number
  /** The largest difference of two labels. */
  readonly span: number
}

const IN_ORDER =
  "These rows were asked for until the comparison was decided: the interval holds at any number of labels, for the rows of these jobs."

/** Returns the difference by the labels of a draw of two jobs, which count up to the first row that lacks one. */
export function correctBySequence(pairs: Iterable<ScoredPair>, input: SequenceInput): SequenceCorrection {
  const { people, labels, seed, score } = input
  const [low, high] = factsOf(pairs, input)?.range ?? [0, 1]
  const span = high - low
  const draw = drawPairs(pairs, seed, span)
  const unsure = new Set(unsureDigests(labelsByAuthor(labels.rows, score)))
  const name = formatPairDraw(input)
  const asked = new Set(labels.rows.flatMap((row) => (row.draw === name ? [digestNumber(row.digest)] : [])))
  const { answered, leftOpen, ...found } = decideInOrder(draw, { ...input, unsure, asked, span })
  const used = draw.order.slice(0, answered)
  const countOf = (side: 0 | 1) => used.filter(({ pair }) => people.has(pair.digests[side])).length
  const [baseline, job] = [countOf(0), countOf(1)]
  const some = leftOpen === 1 ? "1 row of the draw has" : `${leftOpen} rows of the draw have`
  const open = `${some} no label though later ones have one: labels count up to the first of them.`
  const corrected: CorrectedDifference = {
    difference: found.difference,
    interval: found.interval,
    verdict: found.verdict,
    labels: baseline + job,
    labels_of: { baseline, job },
    differing: draw.order.length,
    fileset: labels.name,
    covers: "these-rows",
    left_open: leftOpen,
    labels_needed: null,
    notes: [IN_ORDER, ...(leftOpen > 0 ? [open] : [])],
  }
  return { corrected, answered, span }
}
