import { correctDifference, gate, labelsMissing, labelsNeeded, sumOf } from "@assay/metrics"
import type { CorrectedDifference } from "@assay/schemas"
import { type PeopleLabel, peopleLabels } from "../labels/people-labels.ts"
import { correctBySequence } from "../corrected/correct-by-sequence.ts"
import { type CorrectionFacts, notesOfCorrection } from "../corrected/correction-notes.ts"
import { seedOfPairDraw } from "../row-index/labels/pair-draw-id.ts"
import { type CorrectPairOptions, factsOf, isScaleKnown, type PairFacts } from "../corrected/pair-facts.ts"
import { rowsNeeded } from "./rows-needed.ts"
import { labelsOf, leftOpenOf, unlikeSides } from "../corrected/sample-doubts.ts"
import { scoredPairs, type ScoredSides } from "../corrected/scored-pairs.ts"

/** The reach of an interval that is recommended if there is no margin, as a share of the scale. */
const RECOMMENDED_REACH = 0.05
const ROUNDING = 1e-12

/**
 * Returns the difference of two jobs as people would see it, by the labels that they have. Labels that were asked for until the comparison was decided are
 * read as a sequence, whose interval holds at any number of labels; others are a sample of a fixed size. Returns undefined if no row has the score on both sides.
 * @throws `invalid_request` for a label that is not on the scale
 */
export function correctPair(sides: ScoredSides, options: CorrectPairOptions): CorrectedDifference | undefined {
  const people = peopleLabels(options.labels.rows, options.score)
  const facts = factsOf(scoredPairs(sides, { people, withPicked: true }), options)
  if (facts === undefined) return undefined
  const seed = seedOf(people, options)
  return seed === undefined || !isScaleKnown(options.scale)
    ? correctByFixed(sides, people, { ...options, facts })
    : correctBySequence(scoredPairs(sides, { people, withPicked: true }), { ...options, people, seed }).corrected
}

type WithFacts = CorrectPairOptions & { readonly facts: PairFacts }

/** Returns the seed of the draw of these two jobs that labels were asked for; undefined if they were not. */
function seedOf(
  people: ReadonlyMap<number, PeopleLabel>,
  { labels, score, jobs }: CorrectPairOptions,
): number | undefined {
  if (people.size === 0) return undefined
  for (const { draw = null, metric, withdrawn } of labels.rows.toReversed()) {
    if (draw === null || metric !== score || withdrawn === true) continue
    const seed = seedOfPairDraw(draw, { jobs, score })
    if (seed !== undefined) return seed
  }
  return undefined
}

function correctByFixed(
  sides: ScoredSides,
  people: ReadonlyMap<number, PeopleLabel>,
  options: WithFacts,
): CorrectedDifference {
  const { facts, labels, margin, higherIsBetter } = options
  const asSample = { people, withPicked: facts.isComplete }
  const besideFlips = scoredPairs(sides, { ...asSample, knowsFlips: true })
  // The labels of flips count as a whole if there are enough others.
  const isStratified = facts.knownFlips > 0 && labelsOf(besideFlips).every((count) => labelsMissing(count) === 0)
  const pairs = isStratified ? besideFlips : scoredPairs(sides, asSample)
  const { interval: full, ...found } = correctDifference(pairs, { range: facts.range })
  const { difference, isComplete, differing } = found
  // Equal outputs share a label, which is still one.
  const sampled = labelsOf(pairs)
  const flips = isStratified ? facts.knownFlips : 0
  const given = [sampled[0] + flips, sampled[1] + flips] as const
  const missing = isComplete ? 0 : Math.max(...sampled.map(labelsMissing))
  const interval = missing > 0 ? null : full
  const leftOpen = isComplete ? 0 : leftOpenOf(pairs, people)
  const limit = higherIsBetter ? -margin : margin
  const allowed = higherIsBetter ? { atLeast: limit - ROUNDING } : { atMost: limit + ROUNDING }
  // As without people: equal results pass with any interval, because none of these rows got worse.
  const verdict = facts.isEqual ? "PASS" : leftOpen > 0 ? "INCONCLUSIVE" : gate(interval, allowed)
  const least = Math.min(...given)
  const decidable = difference === null ? null : rowsNeeded({ rows: least, difference, interval, limit })
  const notes: CorrectionFacts = {
    ...found,
    range: isScaleKnown(options.scale) ? null : facts.range,
    labels: given,
    knownFlips: facts.knownFlips,
    isStratified,
    leftOpen,
    unused: Math.max(0, sumOf(labelsOf(scoredPairs(sides, { people, withPicked: true }))) - sumOf(given)),
    missing,
    planned: plannedLabels(found, options),
    decidable: verdict === "INCONCLUSIVE" ? decidable : null,
    unlike: isComplete ? [] : unlikeSides(pairs),
    reach: reachOf(options),
    names: options.names,
  }
  const enough = missing > 0 ? (notes.planned ?? differing) : decidable
  const needed = verdict !== "INCONCLUSIVE" || isComplete ? null : enough
  return {
    difference,
    interval,
    verdict,
    labels: sumOf(given),
    labels_of: { baseline: given[0], job: given[1] },
    differing,
    fileset: labels.name,
    covers: "rows-like-these",
    left_open: leftOpen,
    labels_needed: needed !== null && needed <= differing ? needed : null,
    notes: notesOfCorrection(notes),
  }
}

/** Returns how many labels on each side are enough whatever the judge is worth, if people differ about as often as for two answers that have nothing to do with each other. */
function plannedLabels(
  { rows, differing }: Pick<ReturnType<typeof correctDifference>, "rows" | "differing">,
  options: WithFacts,
): number | null {
  const [low, high] = options.facts.range
  const span = high - low
  if (differing === 0) return null
  const needed = labelsNeeded({
    reach: (reachOf(options) * rows) / differing,
    deviation: span * Math.SQRT1_2,
    rows: differing,
  })
  return Number.isFinite(needed) ? needed : null
}

/** Returns the difference that labels should show: the margin, or 5 points of the scale. */
function reachOf({ facts: { range }, margin }: WithFacts): number {
  return margin > 0 ? margin : RECOMMENDED_REACH * (range[1] - range[0])
}
