import type { Body } from "../body/read-limited.ts"

/** The body of a request: whole, or in pieces. */
export type FetchBody = string | Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: FetchBody
  readonly signal?: AbortSignal
  /** Required by the Fetch standard if the body is a stream. */
  readonly duplex?: "half"
  readonly redirect: "manual"
}

export interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: Body
}

/** The part of the Fetch standard that the client of our API uses. The global `fetch` fits, and so does `createHttpFetch`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>
