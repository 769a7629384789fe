/** What can be sent: whole, or piece by piece. */
export type FetchBody = string | Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: FetchBody
  readonly signal?: AbortSignal
  /** Set with a streaming body, as the Fetch standard demands. */
  readonly duplex?: "half"
  readonly redirect: "manual"
}

export interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
}

/** The part of the Fetch standard that the client uses. The global `fetch` of Node fits; so can a faster transport. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>
