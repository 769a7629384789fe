import type { Transport } from "@assay/http"

/** The dependencies of adapters for remote backends. */
export interface RemoteContext {
  readonly transport: Transport
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Milliseconds since any moment, for elapsed times. The clock of the machine does not change it. Default: `now`. */
  readonly elapsed?: (() => number) | undefined
  /** Returns a number from 0 to 1, for jitter. */
  readonly random: () => number
  /** Waits the given milliseconds, or throws the reason of `signal`. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Maximum number of milliseconds that an operation waits for the backend, including retries. Default 40,000. */
  readonly deadlineMs?: number
}
