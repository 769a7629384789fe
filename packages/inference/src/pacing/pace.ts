/**
 * What is known about the rate that an endpoint allows. It is plain data, so that processes can share it through a database. All times
 * are milliseconds of one clock.
 */
export interface Pace {
  /** The rate that was refused last, in requests per second. Null: none was. */
  readonly refusedRate: number | null
  /** Seconds of requests that waited since then. */
  readonly grown: number
  /** Whether only one wave of requests was refused so far. */
  readonly isGuess: boolean
  /** When the rate was cut last. */
  readonly cutAt: number | null
  /** The rate before the last cut. Null: none was known. */
  readonly cutFrom: number | null
  readonly pausedUntil: number
}

export const NO_PACE: Pace = {
  refusedRate: null,
  grown: 0,
  isGuess: true,
  cutAt: null,
  cutFrom: null,
  pausedUntil: 0,
}

/** Returns good answers per second, on average over a time that suits a rate. */
export type SeenRate = (expected: number) => number

/** What is kept of the rate after a refusal. */
const KEPT = 0.9
/** The rate is cut to what succeeded lately, and at most to this share of it at once: one slow second is not a limit. */
const LARGEST_CUT = 0.5
/** Seconds of waiting requests until the rate is where it was refused. */
const PLATEAU_S = 15
/**
 * How far above the refused rate it rises for `PROBE_S` seconds of waiting requests. An endpoint that counts in a bucket accepts more than its
 * limit while the bucket is full, for example after an outage, so that success says little at first.
 */
const PROBE = 0.025
const PROBE_S = 40
/** Seconds of waiting requests in which the rate doubles after that. */
const RAISE_S = 7
/** Seconds of waiting requests until the rate is `PROBE` above the refused one. */
const PROBE_AFTER_S = PLATEAU_S * (1 + Math.cbrt(PROBE / (1 - KEPT)))
/** Seconds of waiting requests in which the rate doubles after the first refusal, which says little: a burst was refused. */
const DOUBLING_S = 3
/** A rate that was raised so far above the last refusal is no limit any more. */
const FORGOTTEN = 4
const LOWEST_RATE = 0.2
/** After the first refusal, little may have been sent that could have succeeded. A lower limit is found by the next refusals. */
const LOWEST_GUESS = 5
/** Answers so long after a refusal may belong to requests that were sent before it. */
const WAVE_MS = 1000
/** An endpoint that asks for longer is tried again after this. */
const LONGEST_PAUSE_MS = 60_000

/** Returns the rate in requests per second; undefined while none is known. */
export function rateOf({ refusedRate, grown, isGuess }: Pace): number | undefined {
  if (refusedRate === null) return undefined
  if (isGuess) return Math.max(LOWEST_RATE, refusedRate * KEPT * 2 ** (grown / DOUBLING_S))
  const raisedS = grown - PROBE_AFTER_S - PROBE_S
  const growth =
    grown < PROBE_AFTER_S
      ? 1 + (1 - KEPT) * (grown / PLATEAU_S - 1) ** 3
      : (1 + PROBE) * 2 ** (Math.max(0, raisedS) / RAISE_S)
  return Math.max(LOWEST_RATE, refusedRate * growth)
}

/** Lets the rate grow by requests that leave at it. Without a known rate nothing changes. */
export function afterTurns(pace: Pace, count: number): Pace {
  const current = rateOf(pace)
  if (current === undefined) return pace
  const isForgotten = !pace.isGuess && current > FORGOTTEN * (pace.refusedRate ?? 0)
  return { ...pace, grown: pace.grown + count / current, refusedRate: isForgotten ? null : pace.refusedRate }
}

/**
 * Corrects the rate by good answers. Requests of one wave are refused and answered in any order: what was answered after the first refusal
 * counts as well.
 */
export function afterSuccess(pace: Pace, now: number, seen: SeenRate): Pace {
  const { refusedRate, cutAt, cutFrom } = pace
  if (refusedRate === null || cutAt === null || now - cutAt >= WAVE_MS) return pace
  const from = cutFrom ?? Infinity
  return { ...pace, refusedRate: Math.max(refusedRate, Math.min(from, seen(from))) }
}

export interface Refusal {
  /** When the request was sent. */
  readonly requestAt: number
  /** How long the endpoint wants nothing to be sent; undefined if it did not say. */
  readonly askedMs: number | undefined
}

/** Cuts the rate after the endpoint has refused a request because there were too many. */
export function afterRefusal(before: Pace, { requestAt, askedMs }: Refusal, now: number, seen: SeenRate): Pace {
  const asked = askedMs === undefined ? 0 : now + Math.min(askedMs, LONGEST_PAUSE_MS)
  const pace = { ...before, pausedUntil: Math.max(before.pausedUntil, asked) }
  // Requests that were sent before the last cut say nothing about the rate since. Limits are often counted by the second: what was sent before
  // the cut still counts in the second after it.
  if (requestAt < (pace.cutAt ?? -Infinity) + WAVE_MS) return pace
  const current = rateOf(pace)
  const cut = { ...pace, cutAt: now, grown: 0 }
  if (current === undefined) {
    const refusedRate = Math.max(LOWEST_GUESS, seen(Infinity))
    return {
      ...cut,
      refusedRate,
      cutFrom: null,
      isGuess: true,
      pausedUntil: Math.max(pace.pausedUntil, now + WAVE_MS),
    }
  }
  const least = Math.max(seen(current), current * LARGEST_CUT)
  return { ...cut, refusedRate: Math.max(LOWEST_RATE, Math.min(current, least)), cutFrom: current, isGuess: false }
}
