/**
 * The known facts about the rate that an endpoint allows. It is plain data, so that processes can share it through a database. All times
 * are milliseconds of one clock.
 */
export interface Pace {
  /** The rate that was refused last, in requests per second. Null: none was. */
  readonly refusedRate: number | null
  /** Seconds of requests that waited since then. */
  readonly grown: number
  /** Whether only one wave of requests was refused so far. */
  readonly isGuess: boolean
  /** Whether the refused rate was measured over a time that is long enough. */
  readonly isMeasured: boolean
  /** When the rate was cut last. */
  readonly cutAt: number | null
  /** When the refused request was sent since which turns are counted. */
  readonly countedFrom: number | null
  /** Turns since then whose requests were not refused. */
  readonly accepted: number
  /** Seconds of these turns. */
  readonly acceptedS: number
  /** Seconds between them in which more could have left, at most one at a time. */
  readonly idleS: number
  /** Seconds of turns that no request has used: the bucket of the endpoint may hold as much again. */
  readonly missedS: number
  readonly pausedUntil: number
}

export const NO_PACE: Pace = {
  refusedRate: null,
  grown: 0,
  isGuess: true,
  isMeasured: false,
  cutAt: null,
  countedFrom: null,
  accepted: 0,
  acceptedS: 0,
  idleS: 0,
  missedS: 0,
  pausedUntil: 0,
}

/** Returns good answers per second, on average over a time that suits a rate. */
export type SeenRate = (expected: number) => number

/** The part of the rate that is kept after a refusal. */
const KEPT = 0.9
/** The rate is cut at most to this share of it at once: one slow second is not a limit. */
const LARGEST_CUT = 0.5
/** After a short time, the limit has fallen if the endpoint accepted less than this share of the rate. */
const FALLEN = 0.7
/** If the limit has not fallen, the rate is cut at most to this share of it. */
const USUAL_CUT = 0.88
/** Seconds of accepted requests that say at least that it has fallen. */
const SEEN_FALL_S = 0.5
/** Seconds of waiting requests until the rate is where it was refused. */
const PLATEAU_S = 15
/**
 * How far above the refused rate it rises then, and after how many seconds of waiting requests. An endpoint that counts in a bucket accepts more
 * than its limit while the bucket is not empty, so that success says little at first: 1/0.02 seconds empty a bucket of one second. It fills
 * again while nothing is sent. The first three steps take so long that they empty it also if the refused rate was 1 % below the limit.
 */
const PROBES = [
  { above: 0.01, since: 0 },
  { above: 0.02, since: 80 },
  { above: 0.03, since: 150 },
  { above: 0.06, since: 220 },
  { above: 0.1, since: 240 },
  { above: 0.15, since: 260 },
] as const
/** Seconds of waiting requests in these steps. */
const PROBING_S = 275
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
/** Shorter idle times than this count in full. */
const SHORT_IDLE_S = 0.25
/** Seconds whose requests the bucket of an endpoint is assumed to hold. */
const BUCKET_S = 1
/** Missed turns slow the growth by at most this share: a process that is always busy also has to find a limit that was raised. */
const LARGEST_SLOWDOWN = 0.9
/** A rate that was raised by this factor above the last refusal is no longer a limit. */
const FORGOTTEN = 4
const LOWEST_RATE = 0.2
/** After the first refusal, little may have been sent that could have succeeded. A lower limit is found by the next refusals. */
const LOWEST_GUESS = 5
/** A process that loses sight of the others asks at least at this rate. */
const LOWEST_ALONE = 1
/** Answers within this time after a refusal may belong to requests that were sent before it. */
export const WAVE_MS = 1000
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

/** Turns that follow one another at the rate. */
export interface Turns {
  readonly count: number
  /** Seconds before them in which one more could have left. */
  readonly idleS: number
  /** Whether requests waited for them. Only then the rate grows. */
  readonly waited: boolean
}

/** Counts turns that are given to requests, and lets the rate grow by them. Without a known rate nothing changes. */
export function afterTurns(pace: Pace, { count, idleS, waited }: Turns): Pace {
  const current = rateOf(pace)
  if (current === undefined) return pace
  const { refusedRate, isGuess } = pace
  const seconds = count / current
  const grown = isGuess ? pace.grown : afterIdle(pace.grown, idleS)
  const isForgotten = !isGuess && current > FORGOTTEN * (refusedRate ?? 0)
  const [shortS, longS] = idleS < SHORT_IDLE_S ? [idleS, 0] : [0, Math.min(BUCKET_S, idleS)]
  return {
    ...pace,
    refusedRate: isForgotten ? null : refusedRate,
    ...grow({ ...pace, grown }, waited ? seconds : 0),
    accepted: pace.accepted + count,
    acceptedS: pace.acceptedS + seconds + shortS,
    idleS: pace.idleS + longS,
  }
}

/** Lets a rate grow by some seconds of turns, less those that the endpoint needs to lose again what missed turns have left to it. */
function grow({ grown, isGuess, missedS }: Pace, seconds: number): Pick<Pace, "grown" | "missedS"> {
  if (isGuess || !isProbing(grown)) return { grown: grown + seconds, missedS }
  const { above } = probeAt(grown - PROBE_AFTER_S)
  const lostS = Math.min(missedS, seconds * LARGEST_SLOWDOWN * above)
  return { grown: grown + seconds - lostS / above, missedS: missedS - lostS }
}

/** Corrects the counts by turns that no request has used: a busy process misses some. The rate then grows later, because the endpoint had a rest. */
export function afterUnused(pace: Pace, count: number): Pace {
  const current = rateOf(pace)
  if (count === 0 || current === undefined) return pace
  return { ...withoutTurns(pace, count), missedS: Math.min(BUCKET_S, pace.missedS + count / current) }
}

function withoutTurns(pace: Pace, count: number): Pace {
  return { ...pace, accepted: Math.max(0, pace.accepted - count) }
}

/** Returns how long a rate has grown if the bucket of the endpoint may be fuller again: a part of the time above the last refusal counts again. */
function afterIdle(grown: number, idleS: number): number {
  return isProbing(grown) ? Math.max(PLATEAU_S, grown - idleS / probeAt(grown - PROBE_AFTER_S).above) : grown
}

/** Returns whether a rate is above the last refusal, but not yet so far that the bucket of the endpoint says nothing. */
function isProbing(grown: number): boolean {
  return grown >= PLATEAU_S && grown - PROBE_AFTER_S <= PROBING_S
}

/**
 * Corrects the first guess by good answers. Requests of one wave are refused and answered in any order: what was answered after the first
 * refusal counts as well. Later limits are measured between refusals, because answers come late and a full bucket makes them too many.
 */
export function afterSuccess(pace: Pace, now: number, seen: SeenRate): Pace {
  const { refusedRate, cutAt, isGuess } = pace
  if (!isGuess || refusedRate === null || cutAt === null || now - cutAt >= WAVE_MS) return pace
  const found = seen(Infinity)
  if (found <= refusedRate) return pace
  // The rate that the first guess has grown to stays if it is higher, but the correction does not grow with it.
  const grown = DOUBLING_S * Math.log2((rateOf(pace) ?? 0) / (found * KEPT))
  return { ...pace, refusedRate: found, grown: Math.max(0, grown) }
}

export interface Refusal {
  /** When the request was sent. */
  readonly requestAt: number
  /** How long the endpoint wants nothing to be sent; undefined if it did not say. */
  readonly askedMs: number | undefined
  /** How many requests were refused since the last call. Default 1. */
  readonly count?: number
  /** When the last turn is due that was counted. Default: now. */
  readonly countedTo?: number
}

/** Cuts the rate after the endpoint has refused a request because there were too many. */
export function afterRefusal(before: Pace, refusal: Refusal, now: number, seen: SeenRate): Pace {
  const { requestAt, askedMs, count = 1, countedTo = now } = refusal
  const asked = askedMs === undefined ? 0 : now + Math.min(askedMs, LONGEST_PAUSE_MS)
  const isCounted = requestAt >= (before.countedFrom ?? -Infinity)
  const pausedUntil = Math.max(before.pausedUntil, asked)
  const pace = { ...withoutTurns(before, isCounted ? count : 0), pausedUntil }
  // Requests that were sent before the last cut say nothing about the rate since. Limits are often counted by the second: what was sent before
  // the cut still counts in the second after it.
  if (requestAt < (pace.cutAt ?? -Infinity) + WAVE_MS) return pace
  const current = rateOf(pace)
  if (current === undefined) {
    const refusedRate = Math.max(LOWEST_GUESS, seen(Infinity))
    return { ...NO_PACE, refusedRate, cutAt: now, countedFrom: now, pausedUntil: Math.max(pausedUntil, now + WAVE_MS) }
  }
  const [measured, later] = splitCounts(pace, { at: Math.max(requestAt, now - WAVE_MS), countedTo, rate: current })
  // A rate that is too high is refused soon. One that is too low is raised late.
  const guessed = pace.isGuess ? Math.max(acceptedRate(measured), pace.refusedRate ?? 0, seen(current)) : undefined
  const limit = Math.max(LOWEST_RATE, current * LARGEST_CUT, guessed ?? measuredLimit(pace, measured, current))
  const refusedRate = Math.min(current, limit)
  const cut = { cutAt: now, grown: 0, missedS: 0, refusedRate, isGuess: false }
  if (pace.isGuess) return { ...pace, ...later, ...cut }
  if (measured.acceptedS >= MEASURED_S) return { ...pace, ...later, ...cut, isMeasured: true }
  // A short time is not enough for a measure, so counting continues until the next refusal. But after a guess, the rate that was accepted in a short
  // time is the best that is known: the rate stays there, and does not first fall and then rise to it.
  return { ...pace, ...cut, grown: pace.isMeasured ? 0 : PLATEAU_S }
}

/** Returns the limit that the counts between two refusals show. */
function measuredLimit({ isMeasured }: Pace, measured: Counts, current: number): number {
  const { acceptedS } = measured
  const accepted = acceptedRate(measured)
  if (acceptedS >= MEASURED_S) return accepted
  const saysMuch = acceptedS >= SEEN_FALL_S && (!isMeasured || accepted < current * FALLEN)
  return saysMuch ? accepted : Math.max(accepted, current * USUAL_CUT)
}

type Counts = Pick<Pace, "countedFrom" | "accepted" | "acceptedS" | "idleS">

interface Split {
  readonly at: number
  readonly countedTo: number
  readonly rate: number
}

/** Splits the counts into those until a refused request was sent, and those since then. Turns can be counted before they are due. */
function splitCounts(pace: Pace, { at, countedTo, rate }: Split): readonly [until: Counts, later: Counts] {
  const { countedFrom, accepted, acceptedS, idleS } = pace
  const laterS = Math.min(acceptedS, Math.max(0, countedTo - at) / 1000)
  const later = Math.min(accepted, laterS * rate)
  return [
    { countedFrom, accepted: accepted - later, acceptedS: acceptedS - laterS, idleS },
    { countedFrom: at, accepted: later, acceptedS: laterS, idleS: 0 },
  ]
}

/**
 * Returns what the endpoint has accepted per second. A bucket is empty when a request is refused, so that this is its limit between two refusals,
 * whatever the bucket held meanwhile. Not every endpoint has one: then idle time is lost, and counts little.
 */
function acceptedRate({ accepted, acceptedS, idleS }: Counts): number {
  return acceptedS === 0 ? 0 : accepted / Math.min(acceptedS + idleS, acceptedS * LARGEST_IDLE)
}
