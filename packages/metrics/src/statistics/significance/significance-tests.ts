import { checkArgument } from "../check-argument.ts"
import { createRandom, type Random } from "../create-random.ts"
import { sumOf } from "../exact/exact-sum.ts"
import { betaProbability } from "../distributions/beta-distribution.ts"
import { normalProbability } from "../distributions/normal-distribution.ts"

export interface McNemarTest {
  /** The probability of a split at least this uneven, in either direction, if both are equally good. */
  readonly p_two_sided: number
  /** The probability that only A is right at least this often, if B is at least as good as A. */
  readonly p_one_sided: number
}

/**
 * Tests whether two judges or models differ on the same rows: McNemar's exact test, for any number of rows. `onlyA` and
 * `onlyB` count the rows that only one of them got right. The other rows have no influence.
 *
 * Source: McNemar, Psychometrika 12 (1947), with the binomial distribution instead of chi-squared. Throws `invalid_request`.
 */
export function mcnemarExact(onlyA: number, onlyB: number): McNemarTest {
  checkArgument(Number.isSafeInteger(onlyA) && onlyA >= 0, "onlyA", onlyA, "a count of rows")
  checkArgument(Number.isSafeInteger(onlyB) && onlyB >= 0, "onlyB", onlyB, "a count of rows")
  return {
    p_two_sided: Math.min(1, 2 * atLeast(Math.max(onlyA, onlyB), onlyA + onlyB)),
    p_one_sided: atLeast(onlyA, onlyA + onlyB),
  }
}

/** Returns the probability of at least `heads` heads in `tosses` of a fair coin. */
function atLeast(heads: number, tosses: number): number {
  return heads === 0 ? 1 : betaProbability(0.5, heads, tosses - heads + 1)
}

export interface SignPermutationOptions {
  /** The source of the signs. Default: a generator from `seed`. */
  readonly random?: Random
  /** Default 0. */
  readonly seed?: number
  /** Default 10,000. */
  readonly resamples?: number
}

export interface SignPermutationTest {
  /** The probability of a mean at least this far from 0, if each difference could equally well have the other sign. */
  readonly p: number
  /** `exact`: over all signs. `resampled`: over random signs. `normal`: the limit for many differences. */
  readonly method: "exact" | "resampled" | "normal"
}

const MAX_ENUMERATED = 20
const MAX_RESAMPLED = 2000
const MAX_WEIGHT = 0.1
const MAX_SIGNS = 1e8
const MIN_RESAMPLES = 200

/**
 * Tests whether the mean of paired differences is 0, two-sided, without assuming any distribution (Fisher 1935).
 *
 * The test is exact for up to 20 differences that are not 0. For more it draws random signs, and p is (1 + hits) / (1 + draws),
 * which is never 0 (Phipson and Smyth 2010). For more than 2,000 it uses the normal limit, unless one difference is more than
 * a tenth of their Euclidean length.
 * Throws `invalid_request` for differences that are not finite.
 */
export function signPermutationTest(
  differences: ArrayLike<number>,
  { seed = 0, random = createRandom(seed), resamples = 10_000 }: SignPermutationOptions = {},
): SignPermutationTest {
  const all = Float64Array.from(differences, Math.abs)
  checkArgument(
    all.every(Number.isFinite),
    "differences",
    all.find((size) => !Number.isFinite(size)),
    "finite numbers",
  )
  checkArgument(Number.isSafeInteger(resamples) && resamples > 0, "resamples", resamples, "a whole number above 0")
  // In ascending order, so that the order of the differences does not matter.
  const sizes = all.filter((size) => size > 0).toSorted()
  const total = sumOf(sizes)
  // Sums that differ only by rounding count as equal.
  const seen = Math.abs(sumOf(differences)) - 1e-12 * total
  const n = sizes.length
  if (n <= MAX_ENUMERATED) return { p: enumerate(sizes, total, seen), method: "exact" }
  const length = Math.sqrt(sumOf(sizes.map((size) => size * size)))
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  if (n > MAX_RESAMPLED && largest <= MAX_WEIGHT * length) {
    return { p: 2 * normalProbability(-Math.max(0, seen) / length), method: "normal" }
  }
  const draws = Math.min(resamples, Math.max(MIN_RESAMPLES, Math.floor(MAX_SIGNS / n)))
  return { p: resample(sizes, seen, random, draws), method: "resampled" }
}

/** Returns the share of all signs whose sum is at least as far from 0 as `seen`. Each step flips one sign (Gray code). */
function enumerate(sizes: Float64Array, total: number, seen: number): number {
  const negative = new Uint8Array(sizes.length)
  // A sum and its opposite are equally far from 0, so the last sign stays.
  const steps = 2 ** Math.max(0, sizes.length - 1)
  let sum = total
  let hits = 0
  for (let step = 1; step <= steps; step++) {
    if (Math.abs(sum) >= seen) hits++
    const turned = 31 - Math.clz32(step & -step)
    const size = sizes[turned] ?? 0
    const wasNegative = negative[turned] === 1
    sum += wasNegative ? 2 * size : -2 * size
    negative[turned] = wasNegative ? 0 : 1
  }
  return hits / steps
}

function resample(sizes: Float64Array, seen: number, random: Random, draws: number): number {
  let hits = 0
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0
    let signs = 0
    for (let at = 0; at < sizes.length; at++) {
      if (at % 32 === 0) signs = Math.floor(random() * 2 ** 32)
      sum += (sizes[at] ?? 0) * ((signs & 1) * 2 - 1)
      signs >>>= 1
    }
    if (Math.abs(sum) >= seen) hits++
  }
  return (1 + hits) / (1 + draws)
}
