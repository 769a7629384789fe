import type { Fetch } from "@assay/http"

/** When and how often a call is repeated. */
export interface RetryOptions {
  /** Maximum number of repetitions. Default 3. */
  readonly limit?: number
  /** Milliseconds before the first repetition, doubled for each further one. Default 300. */
  readonly baseDelay?: number
  /** Maximum wait in milliseconds. If the server asks for a longer one, the call is not repeated. Default 30,000. */
  readonly maxDelay?: number
  /** Waits the given milliseconds. Rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Returns a number from 0 to 1, which spreads the repetitions of many clients. */
  readonly random: () => number
}

export interface ClientOptions {
  /** Address of the server, such as `http://127.0.0.1:8080`. It may have a path. */
  readonly url: string
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string
  readonly fetch: Fetch
  /** Default: nothing is repeated. */
  readonly retry?: RetryOptions
  /** Maximum number of milliseconds for a call that returns a record or a page. Default 60,000. */
  readonly timeout?: number
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}
