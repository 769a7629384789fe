import { betaProbability, studentQuantile } from "../distributions/beta-distribution.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval } from "../intervals/interval.ts"
import { decideTogether, type LevelledTest } from "./holm-correction.ts"
import { gate, type GateLimit, type GateVerdict } from "./gate.ts"

/** A mean that is compared with a limit together with others. */
export interface GateOfFamily {
  readonly mean: number
  /** Null: there are too few rows for an interval. */
  readonly interval: (Omit<Interval, "method"> & { readonly method: string }) | null
  /** The number of values. */
  readonly n: number
  /** The number of rows or groups of one size with as much information, if rows repeat or have groups. Default: the number of values. */
  readonly units?: number | undefined
  /** The lowest and the highest value. Absent: they are not known. */
  readonly values?: readonly [lowest: number, highest: number] | undefined
  readonly limit: GateLimit
}

/** A limit that this number of rows meets passes: the probability that none of them is among a tenth that breaks it is less than 0.05. */
const MIN_UNITS_WITHIN = 30
const HIDDEN_SHARE = 0.1

/**
 * Compares several means with their limits. A single gate is decided by its interval, as {@link gate} does. Several gates are decided
 * together by {@link decideTogether} on their p-values, so that the probability of any wrong verdict among them is at most 1 − the confidence of the
 * intervals: one that its own interval just decides can be INCONCLUSIVE among others.
 *
 * Values that are not all 0 or 1 pass a limit that each of them meets, from 30 rows or groups on.
 *
 * Each p-value is of the same number of rows as its interval: repeats of a row and rows of a group are not independent. That of a rate with Wilson's interval is exact (binomial). For intervals by betting it is an upper bound, and for
 * others that of Student's t. Both are scaled so that they reach 1 − confidence where the interval ends.
 */
export function gateFamily(gates: readonly GateOfFamily[]): readonly GateVerdict[] {
  const alpha = 1 - (gates.find(({ interval }) => interval !== null)?.interval?.confidence ?? 0.95)
  return decideTogether(gates.map(gateTest), alpha).map(({ verdict }) => verdict)
}

/**
 * Returns the test of a mean against its limit at any level, for families with other tests. At the level of its interval, the interval decides, as
 * {@link gate} does.
 */
export function gateTest(one: GateOfFamily): LevelledTest {
  const { mean, interval, limit } = one
  const isWithin = areValuesWithin(one)
  const p = Math.min(pValue(one), isWithin ? pOfHidden(one) : 1)
  const keeps = "atMost" in limit ? mean <= limit.atMost : mean >= limit.atLeast
  return (level) => {
    if (interval === null) return "INCONCLUSIVE"
    const isOwn = Math.abs(level - (1 - interval.confidence)) < ROUNDING
    if (isOwn) return isWithin ? "PASS" : gate(interval, limit)
    return p <= level ? (keeps ? "PASS" : "FAIL") : "INCONCLUSIVE"
  }
}

function areValuesWithin({ interval, n, units = n, values, limit }: GateOfFamily): boolean {
  if (values === undefined || interval === null || interval.method === "wilson" || units < MIN_UNITS_WITHIN)
    return false
  return "atMost" in limit ? values[1] <= limit.atMost : values[0] >= limit.atLeast
}

/** Returns the two-sided p-value of the hypothesis that the true mean is the limit. */
function pValue({ mean, interval, n, units = n, limit }: GateOfFamily): number {
  if (interval === null) return 1
  const bound = "atMost" in limit ? limit.atMost : limit.atLeast
  const distance = Math.abs(mean - bound)
  if (interval.low === interval.high) return pOfHidden({ n, units })
  if (distance === 0) return 1
  if (interval.method === "wilson") return pOfRate({ mean, interval, n, units, bound })
  const reached = bound < mean ? mean - interval.low : interval.high - mean
  const tail = (1 - interval.confidence) / 2
  // The reach of betting grows at most like the logarithm of the probability.
  if (interval.method === "betting") return Math.min(1, 2 * tail ** (distance / reached))
  const freedom = Math.max(1, units - 1)
  return pOfStudent((studentQuantile(1 - tail, freedom) * distance) / reached, freedom)
}

/** Returns the probability that no row shows values that a tenth of all rows have. */
function pOfHidden({ n, units = n }: Pick<GateOfFamily, "n" | "units">): number {
  return (1 - HIDDEN_SHARE) ** units
}

interface ComparedRate {
  readonly mean: number
  readonly interval: Pick<Interval, "low" | "high" | "confidence">
  readonly n: number
  readonly units: number
  readonly bound: number
}

/** Tests a rate with the number of rows that its interval counts. */
function pOfRate({ mean, interval, n, units, bound }: ComparedRate): number {
  if (bound <= 0 || bound >= 1) return 0
  const z = normalQuantile(0.5 + interval.confidence / 2)
  const size = Math.min(n, sizeOfWilson(mean, interval, z))
  const count = mean * size
  const tail =
    mean > bound ? betaProbability(bound, count, size - count + 1) : 1 - betaProbability(bound, count + 1, size - count)
  const exact = Math.min(1, 2 * tail)
  if (size <= units * (1 + ROUNDING)) return exact
  // The similarity of rows is estimated from few groups, so that the distribution of the statistic is Student's.
  const freedom = Math.max(1, units - 1)
  const found = Math.abs(mean - bound) / Math.sqrt((bound * (1 - bound)) / size)
  return Math.max(exact, pOfStudent((found * studentQuantile(0.5 + interval.confidence / 2, freedom)) / z, freedom))
}

const ROUNDING = 1e-9

/** Returns the number of rows of which Wilson's interval is: the score test just rejects its ends. */
function sizeOfWilson(mean: number, { low, high }: Pick<Interval, "low" | "high">, z: number): number {
  const end = high - mean > mean - low ? high : low
  const size = (z * z * end * (1 - end)) / (end - mean) ** 2
  const whole = Math.round(size)
  return Math.abs(size - whole) < size * ROUNDING ? whole : size
}

function pOfStudent(t: number, freedom: number): number {
  return betaProbability(freedom / (freedom + t * t), freedom / 2, 0.5)
}
