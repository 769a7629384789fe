import { invalidRequest } from "@assay/schemas"
import { passAtK, passPowK } from "./repeats.ts"

/** Reduces the scores of one row over its repeats to one score. Returns NaN if there are none. */
export type Reducer = (scores: readonly number[]) => number

const NAMED: Readonly<Record<string, Reducer>> = { mean, median, mode, max: (scores) => Math.max(...scores) }
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

function mean(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}

function median(scores: readonly number[]): number {
  const sorted = scores.toSorted((a, b) => a - b)
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2
}

function mode(scores: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return scores.find((score) => counts.get(score) === most) ?? Number.NaN
}
