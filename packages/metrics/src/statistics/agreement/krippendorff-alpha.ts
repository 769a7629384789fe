import { checkArgument, checkShare } from "../check-argument.ts"
import { createRandom } from "../create-random.ts"
import { type BootstrapOptions, quantileOf } from "../intervals/bootstrap-interval.ts"
import type { Interval } from "../intervals/interval.ts"
import type { Label } from "./kappa.ts"
import { type RatedUnits, rateUnits, type ValuePattern } from "./rated-units.ts"

export interface KrippendorffOptions extends BootstrapOptions {
  /**
   * How far apart two values are: `nominal` values are equal or not, `ordinal` ones differ by their ranks, `interval` ones by
   * their difference. Default `nominal`. The other two need numbers.
   */
  readonly level?: AgreementLevel
}

export type AgreementLevel = "nominal" | "ordinal" | "interval"

export interface KrippendorffAgreement {
  /** 1 is full agreement, 0 is agreement by chance. Null if all values are equal, or if no row has two values. */
  readonly alpha: number | null
  /** The number of rows with at least two values. The others say nothing about agreement. */
  readonly n: number
  /** The bootstrap's percentile interval over rows. Null for fewer than two rows, and if the values of each row are equal. */
  readonly interval: Interval | null
}

/** A step draws a row, or reads a value of a pattern. */
const MAX_STEPS = 1e7
const MIN_RESAMPLES = 200
const MAX_DRAWN_ROWS = 10_000

/**
 * Measures how much any number of raters agree beyond chance: Krippendorff's alpha of the values that each row got. A missing
 * value is null or NaN, and the order of the values of a row has no meaning.
 * Sources: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011); for the interval Zapf and others, BMC Medical Research
 * Methodology 16:93 (2016). A resample in which all values are equal has no alpha and is left out.
 *
 * Time and memory are linear in the number of values. The interval takes 10,000 resamples within 10 million steps (rows, and values
 * of different rows), and at least 200. Of more than 10,000 rows each resample draws 10,000, and its distance from alpha is
 * divided by the square root of how many times more rows there are (Bickel, Götze and van Zwet, Statistica Sinica 7, 1997).
 * Throws `invalid_request` for values that are not numbers if the level needs them.
 */
export function krippendorffAlpha(
  rows: Iterable<readonly (Label | null)[]>,
  options: KrippendorffOptions = {},
): KrippendorffAgreement {
  const { level = "nominal", confidence = 0.95, resamples = 10_000, seed = 0, random = createRandom(seed) } = options
  checkShare("confidence", confidence)
  checkArgument(Number.isSafeInteger(resamples) && resamples > 0, "resamples", resamples, "a whole number above 0")
  const units = rateUnits(rows, level !== "nominal")
  const alphaOf = createAlpha(units, level)
  const alpha = alphaOf(units.weights)
  const n = units.patternOf.length
  if (alpha === null || alpha === 1 || n < 2) return { alpha, n, interval: null }

  const drawnRows = Math.min(n, MAX_DRAWN_ROWS)
  const cells = units.patterns.reduce((sum, { indexes }) => sum + indexes.length, units.values.length)
  const affordable = Math.max(MIN_RESAMPLES, Math.floor(MAX_STEPS / (drawnRows + cells)))
  const drawn = new Float64Array(units.weights.length)
  const alphas: number[] = []
  for (let left = Math.min(resamples, affordable); left > 0; left--) {
    drawn.fill(0)
    for (let draw = 0; draw < drawnRows; draw++) {
      const pattern = units.patternOf[Math.floor(random() * n)] ?? 0
      drawn[pattern] = (drawn[pattern] ?? 0) + 1
    }
    const one = alphaOf(drawn)
    if (one !== null) alphas.push(one)
  }
  if (alphas.length === 0) return { alpha, n, interval: null }
  const sorted = Float64Array.from(alphas).toSorted()
  const tail = (1 - confidence) / 2
  const shrink = Math.sqrt(drawnRows / n)
  const boundOf = (p: number) => alpha + (quantileOf(sorted, p) - alpha) * shrink
  return { alpha, n, interval: { low: boundOf(tail), high: boundOf(1 - tail), confidence, method: "bootstrap" } }
}

/** Returns a function that computes alpha of a sample, which has each pattern of values as often as its weight says. */
function createAlpha(units: RatedUnits, level: AgreementLevel): (weights: Float64Array) => number | null {
  const { values, patterns } = units
  const counts = new Float64Array(values.length)
  const positions = new Float64Array(values.length)
  if (level === "interval") positions.set(withinOne(values))

  return (weights) => {
    counts.fill(0)
    for (let at = 0; at < patterns.length; at++) addCounts(counts, patterns[at], weights[at] ?? 0)
    const total = counts.reduce((sum, count) => sum + count, 0)
    if (level === "ordinal") setMiddleRanks(positions, counts, total)
    const spread = (indexes: ArrayLike<number>, times: ArrayLike<number>, size: number) =>
      level === "nominal" ? unequalPairs(times, size) : squaredDistances(positions, indexes, times, size)
    let observed = 0
    for (let at = 0; at < patterns.length; at++) {
      const pattern = patterns[at]
      const weight = weights[at] ?? 0
      if (pattern === undefined || weight === 0 || pattern.indexes.length < 2) continue
      observed += (weight * spread(pattern.indexes, pattern.times, pattern.size)) / (pattern.size - 1)
    }
    const expected = spread(units.allIndexes, counts, total) / (total - 1)
    return expected > 0 ? 1 - observed / expected : null
  }
}

function addCounts(counts: Float64Array, pattern: ValuePattern | undefined, weight: number): void {
  if (pattern === undefined || weight === 0) return
  const { indexes, times } = pattern
  for (let cell = 0; cell < indexes.length; cell++) {
    const index = indexes[cell] ?? 0
    counts[index] = (counts[index] ?? 0) + weight * (times[cell] ?? 0)
  }
}

/** Counts the ordered pairs of different values among `size` values. */
function unequalPairs(times: ArrayLike<number>, size: number): number {
  let same = 0
  for (let at = 0; at < times.length; at++) same += (times[at] ?? 0) ** 2
  return size * size - same
}

/** Sums the squared distances of all ordered pairs: 2 · size times the sum of squares around the mean. */
function squaredDistances(
  positions: Float64Array,
  indexes: ArrayLike<number>,
  times: ArrayLike<number>,
  size: number,
): number {
  let sum = 0
  for (let at = 0; at < indexes.length; at++) sum += (times[at] ?? 0) * (positions[indexes[at] ?? 0] ?? 0)
  const mean = sum / size
  let squares = 0
  for (let at = 0; at < indexes.length; at++)
    squares += (times[at] ?? 0) * ((positions[indexes[at] ?? 0] ?? 0) - mean) ** 2
  return 2 * size * squares
}

/** Sets each position to the middle rank of its value, as a share. Krippendorff's ordinal distance is the difference of these. */
function setMiddleRanks(positions: Float64Array, counts: Float64Array, total: number): void {
  let below = 0
  for (const [index, count] of counts.entries()) {
    positions[index] = (below + count / 2) / total
    below += count
  }
}

/** Maps sorted numbers to 0 to 1. Alpha stays the same, and the squares of huge or tiny numbers stay finite and above 0. */
function withinOne(sorted: readonly Label[]): readonly number[] {
  const numbers = sorted.map(Number)
  const scale = numbers.reduce((largest, one) => Math.max(largest, Math.abs(one)), 0) || 1
  const low = (numbers[0] ?? 0) / scale
  const high = (numbers.at(-1) ?? 0) / scale
  return numbers.map((one) => (one / scale - low) / (high - low || 1))
}
