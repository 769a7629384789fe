import { invalidRequest } from "@assay/schemas"
import { checkArgument } from "../check-argument.ts"
import { meanOf } from "../exact/exact-sum.ts"

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
  let flipped = 0
  let rows = 0
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

/** Reduces the scores of one row over its repeats to one score. Returns NaN if there are none. */
export type Reducer = (scores: readonly number[]) => number

const NAMED: Readonly<Record<string, Reducer>> = { mean: meanOf, median, mode, max: (scores) => Math.max(...scores) }
const COUNTING = /^(at_least|pass_at|pass_pow)_([1-9]\d{0,5})(?:\(value=(-?\d+(?:\.\d+)?)\))?$/

/**
 * Parses the name of a reducer: `mean`, `median`, `mode` (the first of the most frequent scores), `max`, `at_least_K` (1 or 0),
 * `pass_at_K` and `pass_pow_K`. The last three count scores of at least `value` (default 1) as successes; write
 * `pass_at_5(value=0.5)` for another value. Scores that are NaN are left out. The names are those of Inspect's reducers.
 *
 * Throws `invalid_request` for any other name. The reducer throws it for fewer scores than K.
 */
export function parseReducer(text: string): Reducer {
  const reducer = Object.hasOwn(NAMED, text) ? NAMED[text] : parseCounting(text)
  if (reducer === undefined) {
    throw invalidRequest(
      ["reducer"],
      `'${text}' is not a reducer; use mean, median, mode, max, at_least_K, pass_at_K or pass_pow_K.`,
      "value_error",
    )
  }
  return (scores) => {
    const read = scores.filter((score) => !Number.isNaN(score))
    return read.length === 0 ? Number.NaN : reducer(read)
  }
}

function parseCounting(text: string): Reducer | undefined {
  const [, kind, count, least = "1"] = COUNTING.exec(text) ?? []
  if (kind === undefined) return undefined
  const k = Number(count)
  return (scores) => {
    const successes = scores.filter((score) => score >= Number(least)).length
    if (kind === "at_least") return successes >= k ? 1 : 0
    return (kind === "pass_at" ? passAtK : passPowK)(scores.length, successes, k)
  }
}

function median(scores: readonly number[]): number {
  const sorted = scores.toSorted((a, b) => a - b)
  const below = sorted[Math.ceil(sorted.length / 2) - 1]
  const above = sorted[Math.floor(sorted.length / 2)]
  return meanOf([below ?? Number.NaN, above ?? Number.NaN])
}

function mode(scores: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return scores.find((score) => counts.get(score) === most) ?? Number.NaN
}
