import type { PaceLease, PaceReport } from "@assay/schemas"
import {
  afterRefusal,
  afterSuccess,
  afterTurns,
  afterUnused,
  NO_PACE,
  type Pace,
  rateOf,
  type Refusal,
  WAVE_MS,
} from "./allowed-rate.ts"
import { type AnswerCounts, partOf } from "./unreported-answers.ts"

/** The result of a change: the text to store, and the value for its caller. */
export interface Changed<T> {
  /** Undefined: nothing is stored. */
  readonly stored: string | undefined
  readonly value: T
}

interface SharedPace {
  readonly pace: Pace
  /** All turns before this time are taken. */
  readonly nextAt: number
  /** Good answers by their time. */
  readonly counts: AnswerCounts
}

/** The length of the turns that are leased at a time. */
const SLICE_MS = 100
/** Maximum time between the lease of a turn and the turn, so that a new rate soon holds for all. */
const AHEAD_MS = 600
/** Answers that an average is made from, if they come at the expected rate. */
const WANTED = 5
const LONGEST_MEAN_MS = 60_000

/** Adds the report of a process to what is shared, and leases turns to it. */
export function exchangePace(stored: string | undefined, now: number, report: PaceReport): Changed<PaceLease> {
  const before = parsePace(stored)
  const { unused, refusal, wanted } = report
  const counts = addAnswers(before.counts, report.answers, now)
  const seen = (expected: number) => meanOf(counts, now, expected)
  const corrected = afterAnswers(afterUnused(before.pace, unused), counts)
  const pace =
    refusal === undefined ? corrected : afterRefusal(corrected, refusalOf(refusal, before.nextAt, now), now, seen)
  const rate = rateOf(pace)
  const nothing = {
    now,
    ...(rate === undefined ? {} : { rate }),
    is_cut: pace.cutAt !== corrected.cutAt,
    count: 0,
    first_at: now,
    step_ms: 0,
    ask_again_at: now,
  }
  // While nothing is limited, nothing is stored.
  if (rate === undefined && stored === undefined) return { stored: undefined, value: nothing }
  const stepMs = 1000 / (rate ?? Infinity)
  const firstAt = Math.max(before.nextAt, now, pace.pausedUntil)
  const isAhead = firstAt - now > AHEAD_MS && before.nextAt > now
  const most = Math.max(1, Math.round(SLICE_MS / stepMs))
  const count = rate === undefined || isAhead ? 0 : Math.min(wanted, most)
  const kept = counts.filter(([at]) => now - at < spanOf(rate ?? Infinity) || isOfGuess(pace, at))
  const idleS = Math.max(0, firstAt - Math.max(before.nextAt, pace.pausedUntil)) / 1000
  const after: SharedPace = {
    pace: count === 0 ? pace : afterTurns(pace, { count, idleS, waited: true }),
    nextAt: count === 0 ? before.nextAt : firstAt + count * stepMs,
    counts: kept,
  }
  const times = { first_at: firstAt, step_ms: stepMs, ask_again_at: isAhead ? firstAt - AHEAD_MS / 2 : now }
  return { stored: JSON.stringify(after), value: { ...nothing, count, ...times } }
}

function refusalOf(
  { ago_ms, asked_ms, count }: NonNullable<PaceReport["refusal"]>,
  countedTo: number,
  now: number,
): Refusal {
  return { requestAt: now - ago_ms, askedMs: asked_ms, count, countedTo }
}

/** Returns the text of a pace that nobody has used yet. */
export function formatPace(pace: Pace): string {
  const shared: SharedPace = { pace, nextAt: 0, counts: [] }
  return JSON.stringify(shared)
}

function parsePace(stored: string | undefined): SharedPace {
  if (stored === undefined) return { pace: NO_PACE, nextAt: 0, counts: [] }
  const shared = JSON.parse(stored) as SharedPace
  // A server of an earlier version stores less.
  return { ...shared, pace: { ...NO_PACE, ...shared.pace } }
}

/** Adds answers of a process to those of all, in the order of their times. */
function addAnswers(counts: AnswerCounts, answers: PaceReport["answers"], now: number): AnswerCounts {
  const sums = new Map(counts)
  for (const { ago_ms, count } of answers) {
    const at = Math.min(now, partOf(now - ago_ms))
    sums.set(at, (sums.get(at) ?? 0) + count)
  }
  return [...sums].toSorted(([one], [other]) => one - other)
}

/** Corrects the first guess by the answers of its time, although some were reported later. */
function afterAnswers(before: Pace, counts: AnswerCounts): Pace {
  return counts
    .filter(([at]) => at >= (before.cutAt ?? Infinity))
    .reduce((pace, [at]) => afterSuccess(pace, at, (expected) => meanOf(counts, at, expected)), before)
}

/** Returns whether answers may still be needed to correct the first guess, when others of that time are reported. */
function isOfGuess({ isGuess, cutAt }: Pace, at: number): boolean {
  return isGuess && cutAt !== null && Math.abs(at - cutAt) <= WAVE_MS
}

/** Returns the milliseconds over which an average is made: longer for a rate so low that few answers fall into a second. */
function spanOf(rate: number): number {
  return Math.min(LONGEST_MEAN_MS, Math.max(1000, (1000 * WANTED) / rate))
}

function meanOf(counts: SharedPace["counts"], now: number, rate: number): number {
  const span = spanOf(rate)
  const sum = counts.reduce((total, [at, count]) => (at <= now && now - at < span ? total + count : total), 0)
  return (1000 * sum) / span
}
