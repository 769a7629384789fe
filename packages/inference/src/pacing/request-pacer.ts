import { PACE_RANGES, type PaceLease, type PaceReport } from "@assay/schemas"
import type { InferenceContext } from "../inference-context.ts"
import { paceAlone, type Refusal } from "./allowed-rate.ts"
import { createOutagePacer, type OutagePacer } from "./outage-pacer.ts"
import { formatPace } from "./pace-exchange.ts"
import { createMemoryPace, type SharedPaces } from "./shared-paces.ts"
import { createSuccessCounts, type SuccessCounts } from "./success-counts.ts"
import { type AnswerCounts, createUnreportedAnswers, type UnreportedAnswers } from "./unreported-answers.ts"
import { createWaitingRequests, type WaitingRequests } from "./waiting-requests.ts"

/** Holds back the requests of all clients of one endpoint and key to the rate that the endpoint allows. */
export interface RequestPacer {
  /**
   * Waits for the turn of a request. Senders take turns, so that the few requests of one do not wait behind the many of another; those of one
   * sender are in the order of the calls. Ends at once until the endpoint has refused a request.
   * @throws the reason of `signal`
   */
  turn(signal: AbortSignal | undefined, sender?: string): Promise<void>
  /** Records a good answer. */
  succeeded(): void
  /**
   * Records that the endpoint refused a request because there were too many.
   * @param requestAt when the request was sent, by the clock of the pacer
   * @param askedMs how long the endpoint wants nothing to be sent; undefined if it did not say
   */
  refused(requestAt: number, askedMs: number | undefined): void
  /** Returns the rate in requests per second; undefined while none is known. */
  rate(): number | undefined
  /** The number of requests that wait for their turn. */
  readonly waiting: number
}

export interface RequestPacerOptions extends Pick<InferenceContext, "now" | "sleep"> {
  /** The store of all processes, or of this one. */
  readonly paces: SharedPaces
  /** Identifies the endpoint and key. */
  readonly key: string
  /** Called when a rate is known after none was. */
  readonly onHeld?: ((requestsPerSecond: number) => void) | undefined
}

/** Milliseconds between two looks whether other processes know a limit, and between two tries while there is no response. */
const LOOK_MS = 1000
/** Time before the last turn is due at which the next turns are leased. */
const LEAD_MS = 100
/** Turns that a busy process has missed by more are lost: together they would be a burst. */
const MISSED_MS = 25
const LONGEST_SLEEP_MS = 50
const MAX_OFFSETS = 100

/** The refusals that the others do not know yet, as one. */
type OwnRefusal = Required<Omit<Refusal, "countedTo">>

/** A pacer between two of its turns. */
interface PacerState {
  readonly options: RequestPacerOptions
  readonly waiting: WaitingRequests
  readonly successes: SuccessCounts
  readonly answers: UnreportedAnswers
  /** Paces this process while the shared store gives no response. */
  own: OutagePacer | undefined
  rate: number | undefined
  /** When the leased turns are due, by the clock of this process. */
  turns: number[]
  /** Turns that no request has used since the last report. */
  unused: number
  refusal: OwnRefusal | undefined
  /** When the last exchange began. */
  askedAt: number
  askAgainAt: number
  exchanging: Promise<void> | undefined
  /** Whether the exchange that is running reports a refusal. */
  isReporting: boolean
  /** How far the shared clock was ahead in the last exchanges. */
  readonly offsets: { readonly ms: number; readonly tookMs: number }[]
}

/**
 * Creates the pacer of one endpoint and key for all processes that use the same store. Until one of them sees a refusal, requests leave at
 * once. Then each process leases turns, which follow one another over all processes, evenly, at a rate that follows what the endpoint accepts:
 * after a refusal it is cut to a share of what was accepted, then it returns slowly to the refused rate, as the window of TCP does in CUBIC
 * (RFC 9438), stays up to 15 % above it for four and a half minutes, and then doubles every 7 seconds if nothing was refused. Time counts
 * only while requests wait, so that a quiet hour does not raise it. While the store gives no response, the process paces itself by its own
 * answers: see `createOutagePacer`.
 */
export function createRequestPacer(options: RequestPacerOptions): RequestPacer {
  const state: PacerState = {
    options,
    waiting: createWaitingRequests(() => releaseRequests(state)),
    successes: createSuccessCounts(options.now),
    answers: createUnreportedAnswers(options.now),
    own: undefined,
    rate: undefined,
    turns: [],
    unused: 0,
    refusal: undefined,
    askedAt: -Infinity,
    askAgainAt: -Infinity,
    exchanging: undefined,
    isReporting: false,
    offsets: [],
  }
  const { waiting, successes, answers } = state
  /** The first look, which all requests wait for. */
  let first: Promise<void> | undefined

  return {
    async turn(signal, sender) {
      first ??= ask(state)
      await first
      while (isSuspended(state)) await ask(state)
      signal?.throwIfAborted()
      if (state.rate === undefined && state.own === undefined && waiting.size === 0) return look(state)
      await waiting.wait(signal, sender)
    },
    succeeded() {
      successes.add()
      state.own?.succeeded()
      answers.add()
    },
    refused(requestAt, askedMs) {
      const { own, refusal } = state
      if (own !== undefined) return own.refused(requestAt, askedMs)
      state.refusal = {
        requestAt: Math.max(requestAt, refusal?.requestAt ?? -Infinity),
        askedMs: askedMs === undefined ? refusal?.askedMs : Math.max(askedMs, refusal?.askedMs ?? 0),
        count: 1 + (refusal?.count ?? 0),
      }
      void ask(state)
    },
    rate: () => (state.own === undefined ? state.rate : state.own.rate()),
    get waiting() {
      return waiting.size
    },
  }
}

/** Releases requests one after the other until none waits. */
async function releaseRequests(state: PacerState): Promise<void> {
  const { waiting } = state
  while (waiting.size > 0) {
    if (state.own !== undefined) {
      look(state)
      if (await state.own.turn()) waiting.release()
    } else if (state.rate === undefined) waiting.release()
    else await waitForTurn(state)
  }
}

async function waitForTurn(state: PacerState): Promise<void> {
  const { turns, waiting, askAgainAt } = state
  const { now, sleep } = state.options
  const at = now()
  while ((turns[0] ?? Infinity) < at - MISSED_MS) {
    turns.shift()
    state.unused += 1
  }
  const dueAt = turns[0]
  if (dueAt === undefined) return askAgainAt > at ? sleep(Math.min(askAgainAt - at, LONGEST_SLEEP_MS)) : ask(state)
  const isLow = (turns.at(-1) ?? 0) - at < LEAD_MS && waiting.size > turns.length
  if (isLow && askAgainAt <= at) void ask(state)
  if (dueAt > at) return sleep(Math.min(dueAt - at, LONGEST_SLEEP_MS))
  turns.shift()
  waiting.release()
}

/** Asks once a second, without a wait, whether there is a limit now, or a response again. */
function look(state: PacerState): void {
  if (state.options.now() - state.askedAt >= LOOK_MS) void ask(state)
}

/** Returns whether requests are held back: after the first refusal, until its meaning is known. */
function isSuspended({ rate, own, refusal, isReporting }: PacerState): boolean {
  return rate === undefined && own === undefined && (refusal !== undefined || isReporting)
}

/** Starts an exchange, unless one is running. */
function ask(state: PacerState): Promise<void> {
  state.exchanging ??= exchange(state).finally(() => {
    state.exchanging = undefined
    if (state.refusal !== undefined) void ask(state)
  })
  return state.exchanging
}

/** Reports to the shared store, and takes its lease. Without a response, this process paces itself. */
async function exchange(state: PacerState): Promise<void> {
  const { paces, key, now } = state.options
  const taken = state.answers.take()
  const report = takeReport(state, taken)
  const begun = now()
  state.isReporting = report.refusal !== undefined
  try {
    acceptLease(state, await paces.exchange(key, report), { begun, wanted: report.wanted })
  } catch {
    state.own ??= createOwnPacer(state)
    state.refusal = undefined
    state.answers.restore(taken)
    state.unused += report.unused + state.turns.length
    state.turns = []
  } finally {
    state.isReporting = false
  }
}

/** Creates the pacer of this process during an outage of the store. It begins with what the process knows alone. */
function createOwnPacer({ options: { now, sleep, key }, successes, rate }: PacerState): OutagePacer {
  const pace = formatPace(paceAlone(now(), successes.perSecond, rate))
  return createOutagePacer({
    now,
    sleep,
    pacer: createRequestPacer({ now, sleep, key, paces: createMemoryPace(now, pace) }),
  })
}

function takeReport(state: PacerState, taken: AnswerCounts): PaceReport {
  const { unused, refusal, waiting, turns } = state
  const at = state.options.now()
  state.unused = 0
  state.refusal = undefined
  state.askedAt = at
  const { answers, count, wanted } = PACE_RANGES
  return {
    unused: Math.min(count, unused),
    answers: taken
      .slice(-answers)
      .map(([answeredAt, answered]) => ({ ago_ms: agoOf(answeredAt, at), count: Math.min(count, answered) })),
    ...(refusal === undefined ? {} : { refusal: reportedRefusal(refusal, at) }),
    wanted: Math.min(wanted, Math.max(0, waiting.size - turns.length)),
  }
}

function reportedRefusal({ requestAt, askedMs, count }: OwnRefusal, at: number): NonNullable<PaceReport["refusal"]> {
  return {
    ago_ms: agoOf(requestAt, at),
    ...(askedMs === undefined ? {} : { asked_ms: Math.min(PACE_RANGES.askedMs, askedMs) }),
    count: Math.min(PACE_RANGES.count, count),
  }
}

function agoOf(time: number, now: number): number {
  return Math.min(PACE_RANGES.agoMs, Math.max(0, now - time))
}

interface Asked {
  /** When the exchange began. */
  readonly begun: number
  readonly wanted: number
}

function acceptLease(state: PacerState, lease: PaceLease, { begun, wanted }: Asked): void {
  const { offsets } = state
  const { now, onHeld } = state.options
  const at = now()
  offsets.push({ ms: lease.now - (begun + at) / 2, tookMs: at - begun })
  if (offsets.length > MAX_OFFSETS) offsets.shift()
  // The fastest one is the most exact.
  const offset = offsets.reduce((best, one) => (one.tookMs < best.tookMs ? one : best))
  state.own?.close()
  state.own = undefined
  if (state.rate === undefined && lease.rate !== undefined) onHeld?.(lease.rate)
  state.rate = lease.rate
  if (lease.is_cut) {
    state.unused += state.turns.length
    state.turns = []
  }
  state.askAgainAt = lease.ask_again_at - offset.ms
  const firstAt = lease.first_at - offset.ms
  const count = Math.min(lease.count, wanted)
  for (let turn = 0; turn < count; turn++) state.turns.push(firstAt + turn * lease.step_ms)
}
