import type { Fetch } from "@assay/http"

/** When and how often a call is made again. */
export interface RetryOptions {
  /** How often at the most. Default 3. */
  readonly limit?: number
  /** Milliseconds before the first repetition, doubled for each further one. Default 300. */
  readonly baseDelay?: number
  /** Longest wait in milliseconds. A server that asks for a longer one gets no repetition. Default 30 000. */
  readonly maxDelay?: number
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** From 0 up to 1, spreads the repetitions of many clients. */
  readonly random: () => number
}

export interface ClientOptions {
  /** Address of the server, such as `http://127.0.0.1:8080`; may have a path. */
  readonly url: string
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string
  readonly fetch: Fetch
  /** Nothing is repeated where it is absent. */
  readonly retry?: RetryOptions
  /** Milliseconds until a call that answers with a record or a page is given up. Default 60 000. */
  readonly timeout?: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
}
