import { checkArgument, checkShare } from "../check-argument.ts"
import type { GateVerdict } from "../significance/gate.ts"
import { pRateAboveLimit, pRateWithinLimit, type RateCounts, rateUpperBound } from "./rate-bounds.ts"

/** The faults of one candidate, such as a prompt of a judge, on two sets of rows that have no row in common. */
export interface CertificationCandidate {
  /** One for each limit, in the order of the limits. Only the order of the tests depends on them. */
  readonly tuning: readonly RateCounts[]
  /** One for each limit. A row without an answer counts as a fault, which can only make the result more careful. */
  readonly certification: readonly RateCounts[]
}

export interface CertificationOptions {
  /** The highest allowed rate of each risk, such as 0.05 of false blocks and 0.1 of misses. */
  readonly limits: readonly number[]
  /** How often a candidate above a limit may be certified. Default 0.05. */
  readonly alpha?: number
}

export interface CandidateTest {
  /** The position of the candidate in the given list. */
  readonly candidate: number
  /** `refused`: its rows do not certify it, whether they show that it is above a limit or not. `untested`: the sequence had ended before this candidate, so nothing is said about it. */
  readonly result: "certified" | "refused" | "untested"
  /** The p-value of the hypothesis that at least one rate is above its limit: the largest of all risks. */
  readonly p: number
  /**
   * For each risk, the bound of this candidate alone, at a confidence of 1 − alpha. It is not corrected for the choice among
   * candidates: what is guaranteed after a choice is the limit.
   */
  readonly bounds: readonly number[]
}

export interface Certification {
  /**
   * PASS if a candidate is certified. FAIL if each candidate is above a limit, which is wrong in at most alpha of all cases.
   * Otherwise INCONCLUSIVE: more rows can decide.
   */
  readonly verdict: GateVerdict
  /** All candidates in the order in which they were tested. */
  readonly tests: readonly CandidateTest[]
}

/**
 * Finds the candidates whose rates keep all limits. With a probability of at least 1 − alpha no certified candidate has a rate
 * above its limit. This holds for all of them together, so that a caller may choose any of them by any rule, for example the
 * one with the fewest misses, also by looking at the same rows.
 *
 * It is Learn-then-Test (Angelopoulos, Bates, Candès, Jordan and Lei 2021, arXiv:2110.01052) with exact binomial p-values and
 * split fixed-sequence testing: the tuning rows order the candidates, and the certification rows test them in this order,
 * each at level alpha, until the first is refused. Bonferroni and Holm begin at alpha / candidates. If one of eleven
 * candidates has a rate of 2 % and the others are above the limit of 5 %, 300 rows certify it in 92 % of draws by this sequence
 * and in 51 % by Bonferroni or Holm.
 *
 * The number of risks needs no correction either: a candidate is refused if any of its rates may be above its limit, and the
 * largest p-value tests that (intersection–union test, Berger, Technometrics 24 (1982), 295–300).
 *
 * The rows of a set have to be drawn independently from the messages for which the guarantee is wanted, or at random from a
 * larger set. Throws `invalid_request`.
 */
export function certifyCandidates(
  candidates: readonly CertificationCandidate[],
  { limits, alpha = 0.05 }: CertificationOptions,
): Certification {
  checkShare("alpha", alpha)
  checkArgument(limits.length > 0, "limits", limits.length, "at least one limit")
  for (const { tuning, certification } of candidates) {
    checkArgument(tuning.length === limits.length, "tuning", tuning.length, "counts for each limit")
    checkArgument(
      certification.length === limits.length,
      "certification",
      certification.length,
      "counts for each limit",
    )
  }
  let ended = false
  const tests = orderByTuning(candidates, limits).map((candidate): CandidateTest => {
    const counts = candidates[candidate]?.certification ?? []
    const p = largestP(counts, limits)
    const bounds = counts.map((risk) => rateUpperBound(risk, alpha))
    if (ended) return { candidate, result: "untested", p, bounds }
    ended = p > alpha
    return { candidate, result: ended ? "refused" : "certified", p, bounds }
  })
  const passed = tests[0]?.result === "certified"
  return { verdict: passed ? "PASS" : allAreAbove(candidates, limits, alpha) ? "FAIL" : "INCONCLUSIVE", tests }
}

/** Orders by the p-value of the tuning rows, and then by the sum of their rates, where p-values are too small to differ. */
function orderByTuning(candidates: readonly CertificationCandidate[], limits: readonly number[]): readonly number[] {
  return candidates
    .map(({ tuning }, at) => ({ at, p: largestP(tuning, limits), rates: sumOfRates(tuning) }))
    .toSorted((a, b) => a.p - b.p || a.rates - b.rates || a.at - b.at)
    .map(({ at }) => at)
}

function largestP(counts: readonly RateCounts[], limits: readonly number[]): number {
  return Math.max(...counts.map((risk, at) => pRateAboveLimit(risk, limits[at] ?? NaN)))
}

function sumOfRates(counts: readonly RateCounts[]): number {
  return counts.reduce((sum, { count, n }) => sum + (n === 0 ? 1 : count / n), 0)
}

/**
 * Tests the hypothesis that at least one candidate keeps all limits. It is rejected only if it is for each candidate alone, so
 * their number needs no correction. That of one candidate is rejected if one of its risks is, so their number does.
 */
function allAreAbove(candidates: readonly CertificationCandidate[], limits: readonly number[], alpha: number): boolean {
  const isAbove = ({ certification }: CertificationCandidate) =>
    certification.some((risk, at) => pRateWithinLimit(risk, limits[at] ?? NaN) <= alpha / limits.length)
  return candidates.length > 0 && candidates.every(isAbove)
}
