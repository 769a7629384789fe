import type { InferenceContext } from "../inference-context.ts"

/** The part of a pacer that one process without a store uses. */
interface OwnPacer {
  turn(signal: AbortSignal): Promise<void>
  succeeded(): void
  refused(requestAt: number, askedMs: number | undefined): void
  rate(): number | undefined
}

interface OutagePacerOptions extends Pick<InferenceContext, "now" | "sleep"> {
  /** Keeps to the part of the shared rate that this process had until now. */
  readonly pacer: OwnPacer
}

/** A pacer of a process that can't share a rate with others at present. */
export interface OutagePacer extends Pick<OwnPacer, "succeeded" | "refused" | "rate"> {
  /** Waits for the next turn. Returns false if it is not given, because nothing may leave at present or the pacer is closed. */
  turn(): Promise<boolean>
  close(): void
}

/** Number of requests that are sent without any answer. After them, one is sent each `SILENT_MS`. */
const UNANSWERED = 5
const SILENT_MS = 5000
/** After a silence of this time, nothing is sent for the same time: the shared store is probably back too, and others use the whole rate. */
const RETURN_MS = 1500
const SLEEP_MS = 50

/**
 * Creates a pacer that sends little while the endpoint is silent too. Then the network of this process is probably cut: the system would deliver all requests together after it is up again, in addition to those of other processes.
 */
export function createOutagePacer({ now, sleep, pacer }: OutagePacerOptions): OutagePacer {
  const closed = new AbortController()
  let unanswered = 0
  let releasedAt = -Infinity
  let answeredAt = now()
  let heldUntil = -Infinity
  const isHeld = () => now() < heldUntil || (unanswered >= UNANSWERED && now() < releasedAt + SILENT_MS)
  function answered(): void {
    if (unanswered >= UNANSWERED && now() >= answeredAt + SILENT_MS) heldUntil = now() + RETURN_MS
    unanswered = 0
    answeredAt = now()
  }
  return {
    async turn() {
      await pacer.turn(closed.signal).catch(() => {})
      if (closed.signal.aborted) return false
      if (isHeld()) {
        await sleep(SLEEP_MS)
        return false
      }
      unanswered += 1
      releasedAt = now()
      return true
    },
    succeeded() {
      answered()
      pacer.succeeded()
    },
    refused(requestAt, askedMs) {
      answered()
      pacer.refused(requestAt, askedMs)
    },
    rate: () => pacer.rate(),
    close: () => closed.abort(),
  }
}
