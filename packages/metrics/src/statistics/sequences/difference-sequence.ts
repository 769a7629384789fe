import { checkArgument, checkShare } from "../check-argument.ts"
import type { Interval } from "../intervals/interval.ts"
import type { GateVerdict } from "../significance/gate.ts"

/** A row whose outputs people have labelled, in the order of the draw. */
export interface DrawnDifference {
  /** B minus A by the labels. Undefined: people are unsure, so that it can be anything. */
  readonly difference: number | undefined
  /** B minus A by the judge. */
  readonly predicted: number
  /** The share of the row in the mean of all rows. */
  readonly share: number
}

export interface DifferenceSequenceOptions {
  /** The sums over all rows that could be drawn: of their shares, of share × predicted, and of share × {@link drawLikelihood}. */
  readonly totals: DifferenceTotals
  /** The largest difference of two labels. */
  readonly span: number
  /** How much worse B may be. */
  readonly margin: number
  /** Whether a higher value is better. Default true. */
  readonly higherIsBetter?: boolean
  /** The probability of a wrong statement, over all looks together. Default 0.05. */
  readonly alpha?: number
}

export interface DifferenceTotals {
  readonly shares: number
  readonly predicted: number
  readonly likelihoods: number
  readonly rows: number
}

export interface SequentialDifference {
  /** Null without a label. */
  readonly difference: number | null
  readonly interval: Interval
  readonly verdict: GateVerdict
  /** The number of labelled rows that decided it; null before. */
  readonly decidedAfter: number | null
}

/** The number of rows for which the first bet is best. Each further bet is best for four times as many. */
const FIRST_TARGET = 16
const TARGET_RATIO = 4
const LARGEST_TARGET = 100_000
/** The share of its wealth that a bet can lose with one value. */
const HIGHEST_STAKE = 0.9
/** The judge's weight is kept below this, so that what a row can change stays bounded. */
const MAX_POWER = 1.5
/** Before a label is seen, the judge counts as right about this many rows whose scores differ by the whole span. */
const PRIOR_ROWS = 2
const HALVINGS = 18
const ROUNDING = 1e-12

/** Returns how likely a row is drawn, compared with others: a row in which the judge sees the largest difference is twice as likely as one in which it sees none. */
export function drawLikelihood(predicted: number, span: number): number {
  return 1 + Math.min(1, Math.abs(predicted) / span)
}

/**
 * Compares B with A by labels of rows that are drawn one by one, without replacement, and with a likelihood of share × {@link drawLikelihood}. The answers
 * are valid together, whenever somebody looks: labelling may end as soon as the verdict is PASS or FAIL. The difference is that of all rows of the set, as
 * if people had labelled each of them; rows that can't be drawn do not differ. The verdict is wrong on each side with a probability of at most `alpha` / 2.
 *
 * Each draw gives an unbiased estimate of the difference from the rows before it: what the judge predicts, the labels so far, and the error of the
 * judge on the drawn row over its probability. A gambler bets on estimates above a bound, and by Ville's inequality reaches a wealth of 2 / alpha with a
 * probability of at most alpha / 2 if the difference is below it. Source: Shekhar, Xu, Lipton, Liang and Ramdas, "Risk-limiting financial audits via
 * weighted sampling without replacement", UAI 2023, with the stakes of Waudby-Smith and Ramdas (Journal of the Royal Statistical Society B 86, 2024).
 *
 * @param drawn the rows from the first one of the draw on, without a gap
 */
export function sequentialDifference(
  drawn: readonly DrawnDifference[],
  { totals, span, margin, higherIsBetter = true, alpha = 0.05 }: DifferenceSequenceOptions,
): SequentialDifference {
  checkShare("alpha", alpha)
  checkArgument(span > 0, "span", span, "a number above 0")
  checkArgument(margin >= 0, "margin", margin, "a number, 0 or more")
  if (totals.rows === 0) return noDifference(alpha)
  checkArgument(drawn.length <= totals.rows, "drawn", drawn.length, `at most the number of rows, ${totals.rows}`)
  // A lower value is better: the difference is turned around, and back at the end.
  const sign = higherIsBetter ? 1 : -1
  const rising = estimatesOf(drawn, totals, { span, sign, unsure: -span })
  const falling = estimatesOf(drawn, totals, { span, sign: -sign, unsure: -span })
  const options = { rows: totals.rows, alpha }
  const passedAfter = rejectedAfter(rising, -margin, options)
  const failedAfter = rejectedAfter(falling, margin, options)
  const low = highestRejected(rising, span, options)
  const high = -highestRejected(falling, span, options)
  const decidedAfter = passedAfter ?? failedAfter
  // The first decision stands.
  const isPassed = passedAfter !== null && passedAfter <= (failedAfter ?? passedAfter)
  const ends = higherIsBetter ? [low, high] : [-high, -low]
  const [least = -span, most = span] = ends
  const middle = drawn.length === 0 ? null : meanOf(rising, falling) * sign
  return {
    difference: middle === null ? null : Math.min(Math.max(least, middle), most),
    interval: { low: Math.min(least, most), high: Math.max(least, most), confidence: 1 - alpha, method: "betting" },
    verdict: decidedAfter === null ? "INCONCLUSIVE" : isPassed ? "PASS" : "FAIL",
    decidedAfter: isPassed ? passedAfter : (failedAfter ?? decidedAfter),
  }
}

/** No row can be drawn: the outputs are the same, and it takes no label to know that. */
function noDifference(alpha: number): SequentialDifference {
  return {
    difference: 0,
    interval: { low: 0, high: 0, confidence: 1 - alpha, method: "betting" },
    verdict: "PASS",
    decidedAfter: 0,
  }
}

/** An estimate of the difference from one draw, and what was known before it. */
interface Estimate {
  readonly value: number
  /** The lowest value that was possible. */
  readonly lowest: number
  /** How much an error of the judge counts in it. */
  readonly scale: number
  /** The standard deviation of errors so far. */
  readonly deviation: number
  /** The lowest difference that the rows can have after this one. */
  readonly certain: number
}

interface EstimateOptions {
  readonly span: number
  readonly sign: number
  /** The difference of a row about which people are unsure. */
  readonly unsure: number
}

function estimatesOf(
  drawn: readonly DrawnDifference[],
  totals: DifferenceTotals,
  { span, sign, unsure }: EstimateOptions,
): readonly Estimate[] {
  const estimates: Estimate[] = []
  const left = { shares: totals.shares, likelihoods: totals.likelihoods }
  const errors = { count: 1, sum: 0, squares: span * span * 0.25 }
  const fit = { together: PRIOR_ROWS * span * span, squares: PRIOR_ROWS * span * span }
  let labels = 0
  let guesses = 0
  for (const row of drawn) {
    const predicted = sign * row.predicted
    const difference = row.difference === undefined ? unsure : sign * row.difference
    const likelihood = drawLikelihood(predicted, span)
    const power = Math.min(MAX_POWER, Math.max(0, fit.together / fit.squares))
    const known = power * (sign * totals.predicted - guesses) + labels
    const scale = Math.max(left.likelihoods, row.share * likelihood)
    const error = (difference - power * predicted) / likelihood
    const deviation = Math.sqrt(errors.squares / errors.count)
    left.shares = Math.max(0, left.shares - row.share)
    left.likelihoods = Math.max(0, left.likelihoods - row.share * likelihood)
    labels += row.share * difference
    guesses += row.share * predicted
    estimates.push({
      value: known + error * scale,
      lowest: known - scale * span * Math.max(1, (1 + power) / 2),
      scale,
      deviation,
      certain: labels - span * left.shares,
    })
    // A row changes the prediction from the next row on.
    errors.count++
    errors.sum += error
    errors.squares += (error - errors.sum / errors.count) ** 2
    fit.together += difference * predicted
    fit.squares += predicted * predicted
  }
  return estimates
}

interface TestOptions {
  readonly rows: number
  readonly alpha: number
}

/** Returns after how many draws it is proved that the difference is above a bound; null if it is not. */
function rejectedAfter(estimates: readonly Estimate[], bound: number, { rows, alpha }: TestOptions): number | null {
  const stakes = stakesFor(rows, alpha)
  const logs = stakes.map(() => 0)
  const needed = Math.log((2 / alpha) * stakes.length)
  for (const [at, { value, lowest, scale, deviation, certain }] of estimates.entries()) {
    if (certain >= bound - ROUNDING) return at + 1
    const reach = bound - lowest
    if (reach <= 0) return at + 1
    let most = -Infinity
    for (const [one, best] of stakes.entries()) {
      const stake = Math.min(best / (deviation * scale), HIGHEST_STAKE / reach)
      const log = (logs[one] ?? 0) + Math.log1p(stake * (value - bound))
      logs[one] = log
      most = Math.max(most, log)
    }
    // Most of the time, the largest wealth is far from enough.
    if (most + Math.log(stakes.length) < needed) continue
    const wealth = most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0))
    if (wealth >= needed) return at + 1
  }
  return null
}

function stakesFor(rows: number, alpha: number): readonly number[] {
  const stakes: number[] = []
  const most = Math.min(rows, LARGEST_TARGET)
  for (let target = FIRST_TARGET; stakes.length === 0 || target < most; target *= TARGET_RATIO) {
    stakes.push(Math.sqrt((2 * Math.log(2 / alpha)) / target))
  }
  return stakes
}

/** Returns the highest bound that is proved to be below the difference. If a bound is, all lower ones are. */
function highestRejected(estimates: readonly Estimate[], span: number, options: TestOptions): number {
  const last = estimates.at(-1)
  let rejected = Math.max(-span, last?.certain ?? -span)
  let open = span
  for (let step = 0; step < HALVINGS; step++) {
    const bound = (rejected + open) / 2
    if (rejectedAfter(estimates, bound, options) === null) open = bound
    else rejected = bound
  }
  return rejected
}

/** Returns the mean of the unbiased estimates, those from few remaining rows first: they vary least. Unsure rows count as no difference. */
function meanOf(rising: readonly Estimate[], falling: readonly Estimate[]): number {
  let sum = 0
  let weights = 0
  for (const [at, { value, scale }] of rising.entries()) {
    const weight = 1 / (scale * scale)
    sum += weight * ((value - (falling[at]?.value ?? -value)) / 2)
    weights += weight
  }
  return sum / weights
}
