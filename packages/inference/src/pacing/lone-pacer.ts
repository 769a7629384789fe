import type { InferenceContext } from "../inference-context.ts"
import { paceAlone, type SeenRate } from "./pace.ts"
import { createRequestPacer, type RequestPacer } from "./request-pacer.ts"

export interface LonePacerOptions extends Pick<InferenceContext, "now" | "sleep"> {
  /** Good answers of this process until now. */
  readonly seen: SeenRate
  /** The rate of all processes together, in requests per second. Undefined: the endpoint has refused nothing. */
  readonly rate: number | undefined
}

/** A pacer of a process that can't share a rate with others at present. */
export interface LonePacer extends Pick<RequestPacer, "succeeded" | "refused" | "rate"> {
  /** Waits for the next turn. Returns false if the pacer is closed first. */
  turn(): Promise<boolean>
  close(): void
}

/** Without any answer, so many requests leave, and then one each `SILENT_MS`. */
const UNANSWERED = 5
const SILENT_MS = 5000
const SLEEP_MS = 50

/**
 * Creates a pacer that keeps to the part of the shared rate that this process had until now. If the endpoint is silent too, then the network of
 * this process is probably cut: the system would deliver all requests together after it is mended, in addition to those of other processes.
 */
export function createLonePacer({ now, sleep, seen, rate }: LonePacerOptions): LonePacer {
  const pacer = createRequestPacer({ now, sleep }, { pace: paceAlone(now(), seen, rate) })
  const closed = new AbortController()
  let [unanswered, releasedAt] = [0, -Infinity]
  const isSilent = () => unanswered >= UNANSWERED && now() < releasedAt + SILENT_MS
  return {
    async turn() {
      await pacer.turn(closed.signal).catch(() => {})
      while (!closed.signal.aborted && isSilent()) await sleep(SLEEP_MS)
      unanswered += 1
      releasedAt = now()
      return !closed.signal.aborted
    },
    succeeded() {
      unanswered = 0
      pacer.succeeded()
    },
    refused(requestAt, askedMs) {
      unanswered = 0
      pacer.refused(requestAt, askedMs)
    },
    rate: () => pacer.rate(),
    close: () => closed.abort(),
  }
}
