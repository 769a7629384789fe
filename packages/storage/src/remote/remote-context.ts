import type { Transport } from "@assay/http"

/** What adapters of remote backends take from the world around them. */
export interface RemoteContext {
  readonly transport: Transport
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** From 0 to 1, for jitter. */
  readonly random: () => number
  /** Waits so many milliseconds, or throws the reason of `signal`. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Longest time that an operation waits for the backend, retries included, in milliseconds. Default 40,000. */
  readonly deadlineMs?: number
}
