import { correctDifference, gate, type JudgedPair, labelBalance, labelsMissing, labelsNeeded } from "@assay/metrics"
import { type CorrectedDifference, type LabelRow, invalidRequest } from "@assay/schemas"
import { drawsOf, labelsByAuthor, type PeopleLabel, peopleLabels, unsureDigests } from "../labels/people-labels.ts"
import { countLeftOpen } from "../row-index/labels/left-open.ts"
import { decideInOrder } from "./decide-in-order.ts"
import { type CorrectionFacts, notesOfCorrection } from "./correction-notes.ts"
import { drawPairs, seedOfPairDraw } from "./pair-draw.ts"
import { rowsNeeded } from "./rows-needed.ts"
import { type ScoredPair, scoredPairs, type ScoredSides } from "./scored-pairs.ts"

/** Labels of people for scores of compared jobs. */
export interface ComparisonLabels {
  /** The fileset or the file, as messages call it. */
  readonly name: string
  readonly rows: readonly LabelRow[]
}

export interface CorrectPairOptions {
  readonly labels: ComparisonLabels
  /** `metric.score` */
  readonly score: string
  /** The ids of both jobs. */
  readonly jobs: readonly [baseline: string, job: string]
  /** Their names, as messages call them. */
  readonly names: readonly [baseline: string, job: string]
  /** The lowest and the highest possible label, as far as they are known. */
  readonly scale: { readonly low: number | null; readonly high: number | null }
  readonly margin: number
  readonly higherIsBetter: boolean
}

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
  return seed === undefined
    ? correctByFixed(sides, people, { ...options, facts })
    : correctBySequence(scoredPairs(sides, { people, withPicked: true }), { ...options, people, seed }).corrected
}

interface PairFacts {
  readonly range: readonly [low: number, high: number]
  /** Whether every row that differs has both labels, however they were chosen. */
  readonly isComplete: boolean
  /** Whether people see no difference in any of them. */
  readonly isEqual: boolean
}

type WithFacts = CorrectPairOptions & { readonly facts: PairFacts }

function factsOf(pairs: Iterable<ScoredPair>, { scale, score }: CorrectPairOptions): PairFacts | undefined {
  let low = Infinity
  let high = -Infinity
  let isComplete = true
  let isEqual = true
  for (const { scores, labels, isSame } of pairs) {
    const values = [...scores, ...labels.flatMap((one) => one?.label ?? [])]
    low = Math.min(low, ...values)
    high = Math.max(high, ...values)
    if (!isSame && labels.includes(undefined)) isComplete = false
    if (!isSame && labels[0]?.label !== labels[1]?.label) isEqual = false
    const wrong = labels.find(
      (one) => one !== undefined && (one.label < (scale.low ?? -Infinity) || one.label > (scale.high ?? Infinity)),
    )
    if (wrong !== undefined) throw offScale(wrong.label, scale, score)
  }
  if (low > high) return undefined
  const range = [scale.low ?? low, scale.high ?? high] as const
  return { range: range[1] > range[0] ? range : [range[0], range[0] + 1], isComplete, isEqual: isComplete && isEqual }
}

function offScale(label: number, { low, high }: CorrectPairOptions["scale"], score: string) {
  const message = `A label of '${score}' is ${label}, and the score has values from ${low ?? "any number"} to ${high ?? "any number"}; correct or remove its line in the file of labels.`
  return invalidRequest(["fileset"], message, "value_error", label)
}

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
  const pairs = scoredPairs(sides, { people, withPicked: facts.isComplete })
  const found = correctDifference(pairs, { range: facts.range })
  const { difference, interval, isComplete, differing } = found
  const leftOpen = isComplete ? 0 : leftOpenOf(pairs, people)
  const limit = higherIsBetter ? -margin : margin
  const allowed = higherIsBetter ? { atLeast: limit - ROUNDING } : { atMost: limit + ROUNDING }
  // As without people: equal results pass with any interval, because none of these rows got worse.
  const verdict = facts.isEqual ? "PASS" : leftOpen > 0 ? "INCONCLUSIVE" : gate(interval, allowed)
  const least = Math.min(...found.labels)
  const decidable = difference === null ? null : rowsNeeded({ rows: least, difference, interval, limit })
  const notes: CorrectionFacts = {
    ...found,
    leftOpen,
    picked: facts.isComplete ? 0 : pickedOf(scoredPairs(sides, { people, withPicked: true })),
    missing: isComplete ? 0 : Math.max(...found.labels.map(labelsMissing)),
    planned: plannedLabels(found, options),
    decidable: verdict === "INCONCLUSIVE" ? decidable : null,
    unlike: isComplete ? [] : unlikeSides(pairs),
    reach: reachOf(options),
    names: options.names,
  }
  const enough = notes.missing > 0 ? (notes.planned ?? differing) : decidable
  const needed = verdict !== "INCONCLUSIVE" || isComplete ? null : enough
  return {
    difference,
    interval,
    verdict,
    labels: found.labels[0] + found.labels[1],
    labels_of: { baseline: found.labels[0], job: found.labels[1] },
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

/** Counts the rows of both sides that were drawn before a row with a label and have none. Rows with the same output on both sides need none. */
function leftOpenOf(pairs: Iterable<ScoredPair>, people: ReadonlyMap<number, PeopleLabel>): number {
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

function pickedOf(pairs: Iterable<ScoredPair>): number {
  let picked = 0
  for (const { labels, isSame } of pairs) if (!isSame) picked += labels.filter((one) => one !== undefined).length
  return picked
}

/** Fewer than one in 200 random samples is as unlike all rows. */
const UNLIKELY = 0.005

/** Returns the sides on which the judge scores the rows with labels differently from all rows that differ. */
function unlikeSides(pairs: Iterable<ScoredPair>): readonly (0 | 1)[] {
  return ([0, 1] as const).filter((side) => {
    const labelled: { score: number; label: number; probability: number }[] = []
    const sums = { rows: 0, sum: 0, squares: 0, low: Infinity, high: -Infinity }
    for (const { scores, labels, isSame } of pairs) {
      if (isSame) continue
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

interface SequenceInput extends CorrectPairOptions {
  readonly people: ReadonlyMap<number, PeopleLabel>
  readonly seed: number
}

/** What the labels of a draw of two jobs say. */
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
  const { answered, leftOpen, ...found } = decideInOrder(draw, { ...input, unsure, span })
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
