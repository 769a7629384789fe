import { checkArgument, checkShare } from "../check-argument.ts"
import { createRandom, type Random } from "../create-random.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { comparePaired } from "../significance/compare-paired.ts"
import { MIN_LABELS } from "./labels-needed.ts"
import { groupPairs, type JudgedPair, knownDifference, type PairWeight } from "./pair-units.ts"
import { type PairCounts, type Ends, NOTHING, addUnit, differenceOf, drawDifferences } from "./draw-differences.ts"

export interface CorrectDifferenceOptions extends IntervalOptions {
  /** The lowest and the highest label that is possible. */
  readonly range: readonly [low: number, high: number]
  /** Random draws for the interval. Default: 2,000 to 10,000, fewer for more rows that differ. */
  readonly draws?: number
  /** The source of the draws. Default: a generator with a fixed seed, so that equal labels give equal intervals. */
  readonly random?: Random
}

export interface CorrectedDifference {
  /** B minus A, as people would see it. Null if a side has no label and the outputs differ. */
  readonly difference: number | null
  /** Null for fewer than 10 labels on a side, unless every row that differs has both labels. */
  readonly interval: Interval | null
  /** Rows, those whose outputs differ, and labels of rows whose outputs differ and whose difference is not known otherwise. */
  readonly rows: number
  readonly differing: number
  readonly labels: readonly [a: number, b: number]
  /** Whether people have labelled all that differs, so that the judge's scores do not count. */
  readonly isComplete: boolean
}

/**
 * Returns the difference that people would find between two models if they labelled all rows, from a judge's scores of all rows and a few labels. It is
 * the difference for all rows like these, as in {@link comparePaired}.
 *
 * The estimate is the difference of {@link calibratedMean} on both sides, so that a judge may be wrong about one model in another way than about the other. With
 * labels of both outputs of each drawn row, it is prediction-powered inference for a difference of means with a fitted weight on each side (Angelopoulos,
 * Bates, Fannjiang, Jordan and Zrnic, "Prediction-powered inference", Science 382, 2023; Angelopoulos, Duchi and Zrnic, "PPI++", 2024). Rows with the
 * same output on both sides do not differ, whatever the judge says about them, and need no label. Rows of a kind that people have labelled as a whole, such as those on
 * which the judge sees a difference, are a stratum whose difference is known.
 *
 * The interval is the Bayesian bootstrap of {@link drawBounds} over rows: a row gets one weight for both outputs, so that pairs stay pairs, and a
 * cluster gets one for all of its rows. A cluster counts as much as any other, whatever its number of rows. Labels that were not seen are worst for the end that is drawn: at its upper end, the highest one for an output of B
 * and the lowest one for an output of A. If people have labelled all rows that differ, it is the interval of {@link comparePaired}.
 *
 * @param pairs are iterated several times
 * @throws `invalid_request` for a label outside of the range
 */
export function correctDifference(
  pairs: Iterable<JudgedPair>,
  { confidence = 0.95, range, draws, random = createRandom(0) }: CorrectDifferenceOptions,
): CorrectedDifference {
  checkShare("confidence", confidence)
  const weightOf = weighClusters(pairs)
  const counts = countPairs(pairs, range, weightOf)
  const { rows, differing, labels, complete, open } = counts
  const isComplete = complete === open
  if (isComplete) return { ...compareLabels(pairs, confidence, range), rows, differing, labels, isComplete }
  if (labels.some((count) => count === 0))
    return { difference: null, interval: null, rows, differing, labels, isComplete }
  const units = groupPairs(pairs, weightOf)
  const totals = units.reduce((sum, unit) => addUnit(sum, unit, unit.shape), NOTHING)
  const span = range[1] - range[0]
  const within = (value: number) => Math.min(span, Math.max(-span, value))
  const difference = within(differenceOf(totals))
  if (labels.some((count) => count < MIN_LABELS))
    return { difference, interval: null, rows, differing, labels, isComplete }
  const bounds = drawDifferences({ units, counts, range, draws, random }, (1 - confidence) / 2)
  const interval: Interval = {
    low: within(Math.min(difference, bounds.low)),
    high: within(Math.max(difference, bounds.high)),
    confidence,
    method: "bayesian-bootstrap",
  }
  return { difference, interval, rows, differing, labels, isComplete }
}

/** Each row has a weight of 1, and so has each cluster, as in `comparePaired`. */
function weighClusters(pairs: Iterable<JudgedPair>): PairWeight {
  const sizes = new Map<number, number>()
  for (const { cluster } of pairs) if (cluster !== undefined) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1)
  return ({ cluster }) => (cluster === undefined ? 1 : 1 / (sizes.get(cluster) ?? 1))
}

function countPairs(pairs: Iterable<JudgedPair>, range: Ends, weightOf: PairWeight): PairCounts {
  const sides = [createSide(range), createSide(range)] as const
  let rows = 0
  let differing = 0
  let open = 0
  let complete = 0
  for (const pair of pairs) {
    const { scores, labels, isSame, cluster } = pair
    rows++
    if (!isSame) differing++
    if (knownDifference(pair) !== undefined) continue
    open++
    if (labels[0] !== undefined && labels[1] !== undefined) complete++
    for (const at of [0, 1] as const) sides[at].add(scores[at], labels[at], { cluster, weight: weightOf(pair) })
  }
  const [a, b] = sides
  return {
    rows,
    differing,
    open,
    complete,
    labels: [a.count(), b.count()],
    scores: [a.ends(), b.ends()],
    unseen: [a.unseen(), b.unseen()],
  }
}

interface WeightedRow {
  readonly cluster: number | undefined
  readonly weight: number
}

function createSide(range: Ends) {
  const clusters = new Set<number>()
  let count = 0
  let largest = 0
  let low = Infinity
  let high = -Infinity
  return {
    add(score: number, given: JudgedPair["labels"][0], { cluster, weight }: WeightedRow): void {
      low = Math.min(low, score)
      high = Math.max(high, score)
      if (given === undefined) return
      const { label, probability } = given
      checkArgument(label >= range[0] && label <= range[1], "label", label, `a number from ${range[0]} to ${range[1]}`)
      checkArgument(probability > 0 && probability < Infinity, "probability", probability, "a number above 0")
      count++
      largest = Math.max(largest, weight / probability)
      if (cluster !== undefined) clusters.add(cluster)
    },
    count: () => count,
    ends: (): Ends => [low, high],
    /** As in `correctMean`: the label is one of those that count most, and a cluster has half of its labels at each end of the scores. */
    unseen: () => largest * Math.max(1, clusters.size === 0 ? 1 : count / clusters.size / 2),
  }
}

/** Compares the labels alone: those of every row that differs are known. */
function compareLabels(pairs: Iterable<JudgedPair>, confidence: number, range: Ends) {
  const a: number[] = []
  const b: number[] = []
  const clusters: number[] = []
  for (const { labels, isSame, cluster } of pairs) {
    // Rows with the same output have the same label, which need not be known.
    a.push(isSame ? range[0] : (labels[0]?.label ?? range[0]))
    b.push(isSame ? range[0] : (labels[1]?.label ?? range[0]))
    if (cluster !== undefined) clusters.push(cluster)
  }
  const found = comparePaired(a, b, { confidence, range, ...(clusters.length === 0 ? {} : { clusters }) })
  return { difference: found?.difference ?? null, interval: found?.interval ?? null }
}
