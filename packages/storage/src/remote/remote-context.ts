import type { Transport } from "@assay/http"

/** The dependencies of adapters for remote backends. */
export interface RemoteContext {
  readonly transport: Transport
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns a number from 0 to 1, for jitter. */
  readonly random: () => number
  /** Waits the given milliseconds, or throws the reason of `signal`. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Maximum number of milliseconds that an operation waits for the backend, including retries. Default 40,000. */
  readonly deadlineMs?: number
}
