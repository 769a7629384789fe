import type { InferenceContext } from "../inference-context.ts"
import type { Refusal } from "./pace.ts"
import { createLonePacer, type LonePacer } from "./lone-pacer.ts"
import type { RequestPacer } from "./request-pacer.ts"
import { exchangePace, type Lease, type PaceReport, type SharedPaces } from "./shared-pace.ts"
import { createSuccessCounts } from "./success-counts.ts"
import { type AnswerCounts, createUnreportedAnswers } from "./unreported-answers.ts"
import { createWaitingRequests } from "./waiting-requests.ts"

export interface SharedPacerOptions extends Pick<InferenceContext, "now" | "sleep"> {
  readonly paces: SharedPaces
  /** Identifies the endpoint and key. */
  readonly key: string
  /** Called when a rate is known after none was. */
  readonly onHeld?: ((requestsPerSecond: number) => void) | undefined
}

/** Milliseconds between two looks whether other processes know a limit, and between two tries while there is no response. */
const LOOK_MS = 1000
/** Without a response for so long, this process paces itself. */
const LIMIT_MS = 1000
/** The next turns are leased so long before the last one is due. */
const LEAD_MS = 100
/** Turns that a busy process has missed by more are lost: together they would be a burst. */
const MISSED_MS = 25
const LONGEST_SLEEP_MS = 50
const MAX_OFFSETS = 100

/**
 * Creates the pacer of one endpoint and key for all processes together. Until one of them sees a refusal, requests leave at once. Then each
 * process leases turns, which follow one another over all processes at the rate that `createRequestPacer` describes. While the shared
 * place gives no response, the process paces itself by its own answers: see `createLonePacer`.
 */
export function createSharedPacer({ paces, key, now, sleep, onHeld = () => {} }: SharedPacerOptions): RequestPacer {
  const waiting = createWaitingRequests(run)
  const successes = createSuccessCounts(now)
  const answers = createUnreportedAnswers(now)
  /** Paces this process while the shared place gives no response. */
  let own: LonePacer | undefined
  let rate: number | undefined
  /** When the leased turns are due, by the clock of this process. */
  let turns: number[] = []
  /** Turns that no request has used since the last report. */
  let unused = 0
  let refusal: Required<Omit<Refusal, "countedTo">> | undefined
  /** When the last exchange began. */
  let askedAt = -Infinity
  let askAgainAt = -Infinity
  let exchanging: Promise<void> | undefined
  /** The first look, which all requests wait for. */
  let first: Promise<void> | undefined
  /** Whether the exchange that is running reports a refusal. */
  let isReporting = false
  /** How far the shared clock was ahead in the last exchanges. */
  const offsets: { readonly ms: number; readonly tookMs: number }[] = []

  function takeReport(taken: AnswerCounts): PaceReport {
    const at = now()
    const report = {
      unused,
      answers: taken.map(([answeredAt, count]) => [Math.max(0, at - answeredAt), count] as const),
      refusal: refusal && { ...refusal, agoMs: at - refusal.requestAt },
      wanted: Math.max(0, waiting.size - turns.length),
    }
    unused = 0
    refusal = undefined
    askedAt = at
    return report
  }

  async function exchange(): Promise<void> {
    const taken = answers.take()
    const report = takeReport(taken)
    const begun = now()
    isReporting = report.refusal !== undefined
    try {
      const changing = paces.change(key, (stored, at) => exchangePace(stored, at, report))
      accept(await withinLimit(changing), begun)
    } catch {
      own ??= createLonePacer({ now, sleep, seen: successes.perSecond, rate })
      refusal = undefined
      answers.restore(taken)
      unused += report.unused + turns.length
      turns = []
    } finally {
      isReporting = false
    }
  }

  /** @throws if there is no response in time */
  async function withinLimit<T>(work: Promise<T>): Promise<T> {
    const waited = new AbortController()
    const limit = async (): Promise<never> => {
      await sleep(LIMIT_MS, waited.signal)
      throw new Error("The shared rate did not respond in time.")
    }
    const limited = limit()
    limited.catch(() => {})
    try {
      return await Promise.race([work, limited])
    } finally {
      waited.abort()
    }
  }

  function accept(lease: Lease, begun: number): void {
    const at = now()
    offsets.push({ ms: lease.now - (begun + at) / 2, tookMs: at - begun })
    if (offsets.length > MAX_OFFSETS) offsets.shift()
    // The fastest one is the most exact.
    const offset = offsets.reduce((best, one) => (one.tookMs < best.tookMs ? one : best))
    own?.close()
    own = undefined
    if (rate === undefined && lease.rate !== undefined) onHeld(lease.rate)
    ;({ rate } = lease)
    if (lease.isCut) {
      unused += turns.length
      turns = []
    }
    askAgainAt = lease.askAgainAt - offset.ms
    const firstAt = lease.firstAt - offset.ms
    for (let turn = 0; turn < lease.count; turn++) turns.push(firstAt + turn * lease.stepMs)
  }

  /** Starts an exchange, unless one is running. */
  function ask(): Promise<void> {
    exchanging ??= exchange().finally(() => {
      exchanging = undefined
      if (refusal !== undefined) void ask()
    })
    return exchanging
  }

  /** Asks once a second, without a wait, whether there is a limit now, or a response again. */
  function look(): void {
    if (now() - askedAt >= LOOK_MS) void ask()
  }

  /** The first refusal holds everything back until it is known what it means. */
  function isSuspended(): boolean {
    return rate === undefined && own === undefined && (refusal !== undefined || isReporting)
  }

  /** Releases requests one after the other until none waits. */
  async function run(): Promise<void> {
    while (waiting.size > 0) {
      if (own !== undefined) {
        look()
        if (await own.turn()) waiting.release()
      } else if (rate === undefined) waiting.release()
      else await waitForTurn()
    }
  }

  async function waitForTurn(): Promise<void> {
    const at = now()
    while ((turns[0] ?? Infinity) < at - MISSED_MS) {
      turns.shift()
      unused += 1
    }
    const dueAt = turns[0]
    if (dueAt === undefined) return askAgainAt > at ? sleep(Math.min(askAgainAt - at, LONGEST_SLEEP_MS)) : ask()
    const isLow = (turns.at(-1) ?? 0) - at < LEAD_MS && waiting.size > turns.length
    if (isLow && askAgainAt <= at) void ask()
    if (dueAt > at) return sleep(Math.min(dueAt - at, LONGEST_SLEEP_MS))
    turns.shift()
    waiting.release()
  }

  return {
    async turn(signal, sender) {
      first ??= ask()
      await first
      while (isSuspended()) await ask()
      signal?.throwIfAborted()
      if (rate === undefined && own === undefined && waiting.size === 0) return look()
      await waiting.wait(signal, sender)
    },
    succeeded() {
      successes.add()
      own?.succeeded()
      answers.add()
    },
    refused(requestAt, askedMs) {
      if (own !== undefined) return own.refused(requestAt, askedMs)
      refusal = {
        requestAt: Math.max(requestAt, refusal?.requestAt ?? -Infinity),
        askedMs: askedMs === undefined ? refusal?.askedMs : Math.max(askedMs, refusal?.askedMs ?? 0),
        count: 1 + (refusal?.count ?? 0),
      }
      void ask()
    },
    rate: () => (own === undefined ? rate : own.rate()),
    get waiting() {
      return waiting.size
    },
  }
}
