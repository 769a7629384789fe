import { checkArgument } from "../check-argument.ts"

/**
 * Estimates the probability that at least one of `k` answers is right, if `successes` of `repeats` answers were: pass@k,
 * 1 − C(n−c, k) / C(n, k), without bias. Source: Chen et al., arXiv 2107.03374. Throws `invalid_request`.
 */
export function passAtK(repeats: number, successes: number, k: number): number {
  checkRepeats(repeats, successes, k)
  if (repeats - successes < k) return 1
  let allWrong = 1
  for (let at = repeats - successes + 1; at <= repeats; at++) allWrong *= 1 - k / at
  return 1 - allWrong
}

/**
 * Estimates the probability that all of `k` answers are right, if `successes` of `repeats` answers were: pass^k,
 * C(c, k) / C(n, k), without bias.
 * Source: Yao et al., τ-bench, arXiv 2406.12045. Throws `invalid_request`.
 */
export function passPowK(repeats: number, successes: number, k: number): number {
  checkRepeats(repeats, successes, k)
  let allRight = 1
  for (let drawn = 0; drawn < k; drawn++) allRight *= Math.max(0, successes - drawn) / (repeats - drawn)
  return allRight
}

/** Returns the value with more than half of the votes, or null if there is none. */
export function majority<Vote extends string | number | boolean>(votes: readonly Vote[]): Vote | null {
  const counts = new Map<Vote, number>()
  for (const vote of votes) {
    const count = (counts.get(vote) ?? 0) + 1
    if (2 * count > votes.length) return vote
    counts.set(vote, count)
  }
  return null
}

export interface FlipRate {
  /** The rows whose answers are not all the same. */
  readonly flipped: number
  /** The rows that were answered more than once. */
  readonly rows: number
  /** Null if no row was answered more than once. */
  readonly rate: number | null
}

/** Counts the rows whose repeated answers differ, from the answers of each row. */
export function flipRate(answersByRow: Iterable<readonly (string | number | boolean)[]>): FlipRate {
  let [flipped, rows] = [0, 0]
  for (const answers of answersByRow) {
    if (answers.length < 2) continue
    rows++
    if (answers.some((answer) => answer !== answers[0])) flipped++
  }
  return { flipped, rows, rate: rows === 0 ? null : flipped / rows }
}

/** Throws an `invalid_request` unless `successes` of `repeats` and a draw of `k` among them are possible. */
function checkRepeats(repeats: number, successes: number, k: number): void {
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0
  checkArgument(isCount(repeats), "repeats", repeats, "a count")
  checkArgument(isCount(successes) && successes <= repeats, "successes", successes, `a count up to ${repeats}`)
  checkArgument(isCount(k) && k > 0 && k <= repeats, "k", k, `a whole number from 1 to ${repeats}`)
}
