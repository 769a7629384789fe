import type { Question } from "./history.ts"

/** How the requests of all workers kept to the limit of the endpoint. */
export interface LimitedFacts {
  readonly refused: number
  /** The share of all requests after the first ten seconds that were refused. */
  readonly laterRefusedShare: number
  /** The largest number of requests in ten seconds, with those that were refused, as a share of what is allowed. From second 10 on. */
  readonly laterPeakShare: number
  /** When these ten seconds ended (ISO 8601), so that the faults before can be found in the log. */
  readonly laterPeakEnd: string
  /** Requests in each of the thirty seconds before that, and how many of them were refused. */
  readonly beforePeakEnd: readonly (readonly [requests: number, refused: number])[]
  readonly answersPerSecond: number
}

const WINDOW_MS = 10_000
const SHOWN_SECONDS = 30

/** Returns the facts of a limit from the times of all questions and refusals. */
export function limitedFacts(
  questions: readonly Question[],
  refusals: readonly number[],
  perSecond: number,
): LimitedFacts {
  const times = [...questions.map(({ at }) => at), ...refusals].toSorted((a, b) => a - b)
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const since = first + WINDOW_MS
  const later = times.filter((at) => at >= since)
  let peak = 0
  let peakEnd = since
  let begin = 0
  for (const [end, at] of later.entries()) {
    while ((later[begin] ?? at) <= at - WINDOW_MS) begin++
    if (end - begin + 1 > peak) [peak, peakEnd] = [end - begin + 1, at]
  }
  const round = (share: number) => Math.round(share * 1000) / 1000
  return {
    refused: refusals.length,
    laterRefusedShare: round(refusals.filter((at) => at >= since).length / later.length),
    laterPeakShare: round(peak / ((perSecond * WINDOW_MS) / 1000)),
    laterPeakEnd: new Date(peakEnd).toISOString(),
    beforePeakEnd: Array.from({ length: SHOWN_SECONDS }, (_, second) => {
      const from = peakEnd - (SHOWN_SECONDS - second) * 1000
      const isIn = (at: number) => at > from && at <= from + 1000
      return [times.filter(isIn).length, refusals.filter(isIn).length] as const
    }),
    answersPerSecond: round(questions.length / ((last - first) / 1000)),
  }
}
