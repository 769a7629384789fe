import type { Random } from "../create-random.ts"
import { gammaVariate } from "../distributions/gamma-variates.ts"
import { quantileOf } from "../intervals/bootstrap-interval.ts"
import { addSums, type LabelSums, type LabelUnit, sumsOf } from "./label-units.ts"

/** The inputs of the draws of a corrected mean. */
export interface DrawnLabels {
  readonly units: readonly LabelUnit[]
  /** The mean of the judge's scores over all rows. */
  readonly mean: number
  /** Whether rows are clustered: then the judge's mean is drawn with the clusters. */
  readonly isClustered: boolean
  /** The lowest and the highest label that is possible. */
  readonly range: readonly [low: number, high: number]
  /** The lowest and the highest score of the judge. */
  readonly scores: readonly [low: number, high: number]
  /** The weight of a label that was not seen: of one for each end of the judge's scores, and of one for people alone. */
  readonly unseen: { readonly judged: number; readonly alone: number }
  /** Default: 2,000 to 20,000. */
  readonly draws?: number | undefined
  readonly random: Random
}

export interface MeanBounds {
  readonly low: number
  readonly high: number
}

/** The bounds of the mean that people would find, by their labels alone, and with the judge's scores. */
export interface DrawnBounds {
  readonly alone: MeanBounds
  readonly corrected: MeanBounds
}

const ROUNDING = 1e-12
const MAX_DRAWS = 20_000
const MIN_DRAWS = 2000
/** Random numbers for one interval: they take about 50 ms. */
const MAX_VARIATES = 600_000

/**
 * Draws how the mean of people can be, in view of the labels, and returns the bounds that a share of `tail` of the draws exceeds on each side.
 *
 * Each label gets a random exponential weight, and each draw is the mean of the weighted labels, corrected by the judge as in {@link calibratedMean}
 * (the Bayesian bootstrap: Rubin, Annals of Statistics 9, 1981, 130–134). The upper bound takes in labels that were not seen and have the highest
 * possible value, the lower bound such of the lowest one. So errors of the judge that no label shows are inside. For labels of 0 and 1 alone, that
 * makes the bounds those of Clopper and Pearson; for others, those of Gaffke (see Learned-Miller and Thomas, "A new confidence interval for the mean of a
 * bounded random variable", 2019). A judge with two scores makes two strata, whose bounds are melded as by Fay, Proschan and Brittain (Biometrics
 * 71, 2015, 146–156): one label that was not seen for each.
 */
export function drawBounds(drawn: DrawnLabels, tail: number): DrawnBounds {
  const { units, unseen, random } = drawn
  const affordable = Math.floor(MAX_VARIATES / (units.length + 2))
  const draws = drawn.draws ?? Math.min(MAX_DRAWS, Math.max(MIN_DRAWS, affordable))
  const series = () => new Float64Array(draws)
  const aloneLow = series()
  const aloneHigh = series()
  const low = series()
  const high = series()
  for (let at = 0; at < draws; at++) {
    const { sums, mean } = drawSums(drawn)
    const first = gammaVariate(1, random)
    const second = gammaVariate(1, random)
    for (const [end, bare, judged] of [
      [drawn.range[0], aloneLow, low],
      [drawn.range[1], aloneHigh, high],
    ] as const) {
      const alone = addSums(sums, sumsOf(unseen.alone * first, 0, end))
      bare[at] = alone[2] / alone[0]
      const lowest = sumsOf(unseen.judged * first, drawn.scores[0], end)
      const highest = sumsOf(unseen.judged * second, drawn.scores[1], end)
      judged[at] = calibratedMean(addSums(addSums(sums, lowest), highest), mean)
    }
  }
  for (const one of [aloneLow, aloneHigh, low, high]) one.sort()
  return {
    alone: { low: quantileOf(aloneLow, tail), high: quantileOf(aloneHigh, 1 - tail) },
    corrected: { low: quantileOf(low, tail), high: quantileOf(high, 1 - tail) },
  }
}

function drawSums({ units, mean, isClustered, random }: DrawnLabels): {
  readonly sums: LabelSums
  readonly mean: number
} {
  let weight = 0
  let score = 0
  let label = 0
  let squares = 0
  let together = 0
  let rows = 0
  let scores = 0
  for (const unit of units) {
    const times = gammaVariate(unit.shape, random)
    weight += times * unit.sums[0]
    score += times * unit.sums[1]
    label += times * unit.sums[2]
    squares += times * unit.sums[3]
    together += times * unit.sums[4]
    rows += times * unit.rows
    scores += times * unit.scores
  }
  return { sums: [weight, score, label, squares, together], mean: isClustered ? scores / rows : mean }
}

/** Returns how much the labels rise with the judge's score: the slope of the weighted line through both. 0 for a constant judge. */
export function slopeOf([weight, score, label, squares, together]: LabelSums): number {
  const variance = squares / weight - (score / weight) ** 2
  const scale = Math.max(1, squares / weight)
  return variance <= ROUNDING * scale ? 0 : (together / weight - (score / weight) * (label / weight)) / variance
}

/**
 * Returns the mean of labels plus the slope times (mean score of all rows − mean score of the labelled rows). For a judge with two scores it is the mean
 * over its two strata. Source: the regression estimator of Cochran, Sampling Techniques, 1977, chapter 7, which is prediction-powered
 * inference with a fitted weight (Angelopoulos, Duchi and Zrnic, "PPI++", 2023).
 */
export function calibratedMean(sums: LabelSums, mean: number): number {
  return sums[2] / sums[0] + slopeOf(sums) * (mean - sums[1] / sums[0])
}
