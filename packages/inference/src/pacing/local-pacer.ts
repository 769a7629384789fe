import type { InferenceContext } from "../inference-context.ts"
import { afterRefusal, afterSuccess, afterTurns, NO_PACE, type Pace, rateOf } from "./allowed-rate.ts"
import { createSuccessCounts } from "./success-counts.ts"
import { createWaitingRequests } from "./waiting-requests.ts"

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

const LONGEST_SLEEP_MS = 100
/** Turns that a busy process has missed are made up for, but no longer ones: they would be a burst. */
const MISSED_MS = 20

type Clock = Pick<InferenceContext, "now" | "sleep">

export interface RequestPacerOptions {
  /** The pace at the beginning. Default: no limit is known. */
  readonly pace?: Pace
  /** Called when a rate is known after none was. */
  readonly onHeld?: (requestsPerSecond: number) => void
}

/**
 * Creates the pacer of one endpoint and key. Requests leave evenly, at a rate that follows what the endpoint accepts: after a refusal it is cut
 * to a share of what was accepted, then it returns slowly to the refused rate, as the window of TCP does in CUBIC (RFC 9438), stays up to 15 % above
 * it for four and a half minutes, and then doubles every 7 seconds if nothing was refused. Time counts only while requests wait, so that a quiet hour does not raise it.
 */
export function createRequestPacer(
  { now, sleep }: Clock,
  { pace: known = NO_PACE, onHeld = () => {} }: RequestPacerOptions = {},
): RequestPacer {
  const successes = createSuccessCounts(now)
  const waiting = createWaitingRequests(run)
  let pace = known
  let sentAt = -Infinity
  const rate = () => rateOf(pace)

  /** Releases requests one after the other until none waits. */
  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const current = rate()
      const { pausedUntil } = pace
      const dueAt = current === undefined ? pausedUntil : Math.max(sentAt + 1000 / current, pausedUntil)
      const restMs = dueAt - now()
      if (restMs > 0) {
        // The rate can rise meanwhile.
        await sleep(Math.min(restMs, LONGEST_SLEEP_MS))
        continue
      }
      if (current !== undefined) {
        sentAt = Math.max(dueAt, now() - MISSED_MS)
        pace = afterTurns(pace, { count: 1, idleS: (sentAt - dueAt) / 1000, waited: true })
      }
      waiting.release()
    }
  }

  return {
    async turn(signal, sender) {
      signal?.throwIfAborted()
      if (waiting.size === 0 && now() >= pace.pausedUntil) {
        const current = rate()
        if (current === undefined) return
        const dueAt = Math.max(sentAt + 1000 / current, pace.pausedUntil)
        if (now() >= dueAt) {
          sentAt = now()
          pace = afterTurns(pace, { count: 1, idleS: (sentAt - dueAt) / 1000, waited: false })
          return
        }
      }
      await waiting.wait(signal, sender)
    },
    succeeded() {
      successes.add()
      pace = afterSuccess(pace, now(), successes.perSecond)
    },
    refused(requestAt, askedMs) {
      const isNew = rate() === undefined
      pace = afterRefusal(pace, { requestAt, askedMs }, now(), successes.perSecond)
      const found = rate()
      if (isNew && found !== undefined) onHeld(found)
    },
    rate,
    get waiting() {
      return waiting.size
    },
  }
}
