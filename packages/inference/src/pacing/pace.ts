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
  /** Requests that have left since a refusal and were not refused. */
  readonly accepted: number
  /** Seconds in which they left. */
  readonly acceptedS: number
  /** Seconds between them in which more could have left, at most one at a time. */
  readonly idleS: number
  readonly pausedUntil: number
}

export const NO_PACE: Pace = {
  refusedRate: null,
  grown: 0,
  isGuess: true,
  cutAt: null,
  accepted: 0,
  acceptedS: 0,
  idleS: 0,
  pausedUntil: 0,
}

/** Returns good answers per second, on average over a time that suits a rate. */
export type SeenRate = (expected: number) => number

/** What is kept of the rate after a refusal. */
const KEPT = 0.9
/** The rate is cut at most to this share of it at once: one slow second is not a limit. */
const LARGEST_CUT = 0.5
/** The limit has fallen if the endpoint accepted less than this share of the rate. Otherwise the rate is cut at most to the second share. */
const [FALLEN, USUAL_CUT] = [0.8, 0.88]
/** Seconds of waiting requests until the rate is where it was refused. */
const PLATEAU_S = 15
/**
 * How far above the refused rate it rises then, and after how many seconds of waiting requests. An endpoint that counts in a bucket accepts more
 * than its limit while the bucket is not empty, so that success says little at first: 1/0.015 seconds empty a bucket of one second. It fills
 * again while nothing is sent.
 */
const PROBES = [
  { above: 0.015, since: 0 },
  { above: 0.03, since: 67 },
  { above: 0.06, since: 100 },
  { above: 0.1, since: 120 },
  { above: 0.15, since: 140 },
] as const
/** Seconds of waiting requests in these steps. */
const PROBING_S = 155
const [{ above: FIRST_PROBE }] = PROBES
/** Seconds of waiting requests in which the rate doubles after that. */
const RAISE_S = 7
/** Seconds of waiting requests until the first of these steps. */
const PROBE_AFTER_S = PLATEAU_S * (1 + Math.cbrt(FIRST_PROBE / (1 - KEPT)))
/** Seconds of waiting requests in which the rate doubles after the first refusal, which says little: a burst was refused. */
const DOUBLING_S = 3
/** Seconds of accepted requests that say how many the endpoint allows. */
const MEASURED_S = 3
/** Idle seconds make the measured time longer by at most this factor. */
const LARGEST_IDLE = 1.05
/** The bucket of an endpoint is assumed to hold the requests of so many seconds. */
const BUCKET_S = 1
/** A rate that was raised so far above the last refusal is no limit any more. */
const FORGOTTEN = 4
const LOWEST_RATE = 0.2
/** After the first refusal, little may have been sent that could have succeeded. A lower limit is found by the next refusals. */
const LOWEST_GUESS = 5
/** A process that loses sight of the others asks at least at this rate. */
const LOWEST_ALONE = 1
/** Answers so long after a refusal may belong to requests that were sent before it. */
const WAVE_MS = 1000
/** An endpoint that asks for longer is tried again after this. */
const LONGEST_PAUSE_MS = 60_000

/** Returns the rate in requests per second; undefined while none is known. */
export function rateOf({ refusedRate, grown, isGuess }: Pace): number | undefined {
  if (refusedRate === null) return undefined
  if (isGuess) return Math.max(LOWEST_RATE, refusedRate * KEPT * 2 ** (grown / DOUBLING_S))
  const probedS = grown - PROBE_AFTER_S
  const growth =
    probedS < 0
      ? 1 + (1 - KEPT) * (grown / PLATEAU_S - 1) ** 3
      : (1 + probeAt(probedS).above) * 2 ** (Math.max(0, probedS - PROBING_S) / RAISE_S)
  return Math.max(LOWEST_RATE, refusedRate * growth)
}

/** Returns the step after some seconds of probing. */
function probeAt(probedS: number): (typeof PROBES)[number] {
  return PROBES.findLast(({ since }) => probedS >= since) ?? PROBES[0]
}

/**
 * Returns what a process knows alone: what it had of the rate of all processes until now is its own limit.
 * @param rate undefined: none was known
 */
export function paceAlone(now: number, seen: SeenRate, rate: number | undefined): Pace {
  // The mean of several seconds, because the last one may already be a part of the outage.
  const refusedRate =
    rate === undefined ? Math.max(LOWEST_GUESS, seen(Infinity)) : Math.max(LOWEST_ALONE, seen(Math.min(rate, 1)))
  return { ...NO_PACE, refusedRate, isGuess: rate === undefined, cutAt: now, pausedUntil: now + WAVE_MS }
}

/** Requests that leave one after the other at the rate. */
export interface Turns {
  readonly count: number
  /** Seconds before them in which one more could have left. */
  readonly idleS: number
  /** Whether they waited for their turns. Only then the rate grows. */
  readonly waited: boolean
}

/** Counts requests that leave, and lets the rate grow by them. Without a known rate nothing changes. */
export function afterTurns(pace: Pace, { count, idleS, waited }: Turns): Pace {
  const current = rateOf(pace)
  if (current === undefined) return pace
  const { refusedRate, isGuess } = pace
  const seconds = count / current
  const grown = isGuess ? pace.grown : afterIdle(pace.grown, idleS)
  const isForgotten = !isGuess && current > FORGOTTEN * (refusedRate ?? 0)
  return {
    ...pace,
    refusedRate: isForgotten ? null : refusedRate,
    grown: grown + (waited ? seconds : 0),
    accepted: pace.accepted + count,
    acceptedS: pace.acceptedS + seconds,
    idleS: pace.idleS + Math.min(BUCKET_S, idleS),
  }
}

/** Returns how long a rate has grown if the bucket of the endpoint may be fuller again: a part of the time above the last refusal counts again. */
function afterIdle(grown: number, idleS: number): number {
  const probedS = grown - PROBE_AFTER_S
  if (grown < PLATEAU_S || probedS > PROBING_S) return grown
  return Math.max(PLATEAU_S, grown - idleS / probeAt(probedS).above)
}

/**
 * Corrects the first guess by good answers. Requests of one wave are refused and answered in any order: what was answered after the first
 * refusal counts as well. Later limits are measured between refusals, because answers come late and a full bucket makes them too many.
 */
export function afterSuccess(pace: Pace, now: number, seen: SeenRate): Pace {
  const { refusedRate, cutAt, isGuess } = pace
  if (!isGuess || refusedRate === null || cutAt === null || now - cutAt >= WAVE_MS) return pace
  return { ...pace, refusedRate: Math.max(refusedRate, seen(Infinity)) }
}

export interface Refusal {
  /** When the request was sent. */
  readonly requestAt: number
  /** How long the endpoint wants nothing to be sent; undefined if it did not say. */
  readonly askedMs: number | undefined
  /** How many requests were refused since the last call. Default 1. */
  readonly count?: number
}

/** Cuts the rate after the endpoint has refused a request because there were too many. */
export function afterRefusal(before: Pace, refusal: Refusal, now: number, seen: SeenRate): Pace {
  const { requestAt, askedMs, count = 1 } = refusal
  const asked = askedMs === undefined ? 0 : now + Math.min(askedMs, LONGEST_PAUSE_MS)
  const isSinceCut = requestAt >= (before.cutAt ?? -Infinity)
  const accepted = Math.max(0, before.accepted - (isSinceCut ? count : 0))
  const pace = { ...before, accepted, pausedUntil: Math.max(before.pausedUntil, asked) }
  // Requests that were sent before the last cut say nothing about the rate since. Limits are often counted by the second: what was sent before
  // the cut still counts in the second after it.
  if (requestAt < (pace.cutAt ?? -Infinity) + WAVE_MS) return pace
  const current = rateOf(pace)
  // A short time is no measure, so the counts go on until the next refusal.
  const isShort = !pace.isGuess && pace.acceptedS < MEASURED_S
  const measured = isShort ? {} : { accepted: 0, acceptedS: 0, idleS: 0 }
  const cut = { ...pace, cutAt: now, grown: 0, ...measured }
  if (current === undefined) {
    const refusedRate = Math.max(LOWEST_GUESS, seen(Infinity))
    return { ...cut, refusedRate, isGuess: true, pausedUntil: Math.max(pace.pausedUntil, now + WAVE_MS) }
  }
  // A rate that is too high is refused soon. One that is too low is raised late.
  const found = Math.max(acceptedRate(pace), pace.isGuess ? Math.max(pace.refusedRate ?? 0, seen(current)) : 0)
  const least = Math.max(LOWEST_RATE, current * (found < current * FALLEN ? LARGEST_CUT : USUAL_CUT))
  return { ...cut, refusedRate: Math.min(current, Math.max(least, found)), isGuess: false }
}

/**
 * Returns what the endpoint has accepted per second. A bucket is empty when a request is refused, so that this is its limit between two refusals,
 * whatever the bucket held meanwhile. Not every endpoint has one: then idle time is lost, and counts little.
 */
function acceptedRate({ accepted, acceptedS, idleS }: Pace): number {
  return acceptedS === 0 ? 0 : accepted / Math.min(acceptedS + idleS, acceptedS * LARGEST_IDLE)
}
