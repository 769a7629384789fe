import type { InferenceContext } from "../inference-context.ts"
import { createSuccessCounts } from "./success-counts.ts"

/** Holds back the requests of all clients of one endpoint and key to the rate that the endpoint allows. */
export interface RequestPacer {
  /**
   * Waits for the turn of a request, in the order of the calls. Ends at once until the endpoint has refused a request.
   * @throws the reason of `signal`
   */
  turn(signal: AbortSignal | undefined): Promise<void>
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

/** What is kept of the rate after a refusal. */
const KEPT = 0.9
/** The rate is cut to what succeeded lately, and at most to this share of it at once: one slow second is not a limit. */
const LARGEST_CUT = 0.5
/** Seconds of waiting requests until the rate is where it was refused. */
const PLATEAU_S = 15
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
const LONGEST_SLEEP_MS = 100
/** Turns that a busy process has missed are made up for, but no longer ones: they would be a burst. */
const MISSED_MS = 20

type Clock = Pick<InferenceContext, "now" | "sleep">

/**
 * Creates the pacer of one endpoint and key. Requests leave evenly, at a rate that follows what the endpoint accepts: after a refusal it is cut
 * to a share of what succeeded, then it returns slowly to the refused rate, stays near it, and rises faster and faster beyond, as the window of
 * TCP does in CUBIC (RFC 9438). Time counts only while requests wait, so that a quiet hour does not raise it.
 *
 * `onHeld` is called when a rate is known after none was.
 */
export function createRequestPacer(
  { now, sleep }: Clock,
  onHeld: (requestsPerSecond: number) => void = () => {},
): RequestPacer {
  const successes = createSuccessCounts(now)
  const waiting = new Set<() => void>()
  /** The rate that was refused last. Undefined: none was. */
  let refusedRate: number | undefined
  /** Seconds of requests that waited since then. */
  let grown = 0
  /** Whether only one wave of requests was refused so far. */
  let isGuess = true
  let sentAt = -Infinity
  let pausedUntil = 0
  let cutAt = -Infinity
  /** The rate before the last cut. */
  let cutFrom = Infinity
  let isRunning = false

  function rate(): number | undefined {
    if (refusedRate === undefined) return undefined
    if (isGuess) return Math.max(LOWEST_RATE, refusedRate * KEPT * 2 ** (grown / DOUBLING_S))
    return Math.max(LOWEST_RATE, refusedRate * (1 + (1 - KEPT) * (grown / PLATEAU_S - 1) ** 3))
  }

  /** Releases requests one after the other until none waits. */
  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const current = rate()
      const dueAt = current === undefined ? pausedUntil : Math.max(sentAt + 1000 / current, pausedUntil)
      const restMs = dueAt - now()
      if (restMs > 0) {
        // The rate can rise meanwhile.
        await sleep(Math.min(restMs, LONGEST_SLEEP_MS))
        continue
      }
      const [first] = waiting
      if (first === undefined) break
      waiting.delete(first)
      if (current !== undefined) {
        sentAt = Math.max(dueAt, now() - MISSED_MS)
        grown += 1 / current
        if (!isGuess && current > FORGOTTEN * (refusedRate ?? 0)) refusedRate = undefined
      }
      first()
    }
  }

  function start(): void {
    if (isRunning) return
    isRunning = true
    void run().finally(() => {
      isRunning = false
    })
  }

  return {
    async turn(signal) {
      signal?.throwIfAborted()
      if (waiting.size === 0 && now() >= pausedUntil) {
        const current = rate()
        if (current === undefined) return
        if (now() >= sentAt + 1000 / current) {
          sentAt = now()
          return
        }
      }
      await new Promise<void>((resolve, reject) => {
        const end = () => {
          signal?.removeEventListener("abort", give)
          resolve()
        }
        const give = () => {
          waiting.delete(end)
          reject(signal?.reason as Error)
        }
        signal?.addEventListener("abort", give, { once: true })
        waiting.add(end)
        start()
      })
    },
    succeeded() {
      successes.add()
      // Requests of one wave are refused and answered in any order: what was answered after the first refusal counts as well.
      if (refusedRate !== undefined && now() - cutAt < WAVE_MS) {
        refusedRate = Math.max(refusedRate, Math.min(cutFrom, successes.perSecond(cutFrom)))
      }
    },
    refused(requestAt, askedMs) {
      const at = now()
      if (askedMs !== undefined) pausedUntil = Math.max(pausedUntil, at + Math.min(askedMs, LONGEST_PAUSE_MS))
      // Requests that were sent before the last cut say nothing about the rate since. Limits are often counted by the second: what was sent before
      // the cut still counts in the second after it.
      if (requestAt < cutAt + WAVE_MS) return
      const current = rate()
      const seen = successes.perSecond(current ?? Infinity)
      refusedRate =
        current === undefined
          ? Math.max(LOWEST_GUESS, seen)
          : Math.max(LOWEST_RATE, Math.min(current, Math.max(seen, current * LARGEST_CUT)))
      if (current === undefined) pausedUntil = Math.max(pausedUntil, at + WAVE_MS)
      cutAt = at
      cutFrom = current ?? Infinity
      grown = 0
      isGuess = current === undefined
      if (isGuess) onHeld(rate() ?? 0)
    },
    rate,
    get waiting() {
      return waiting.size
    },
  }
}
