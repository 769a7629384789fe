/** What the object store was asked, and how it went. Bodies are counted, not kept. */
export interface ObjstoreRequest {
  readonly method: string
  /** Path and query, exactly as sent. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** As S3 names it, for example `GetObject`; empty for a request that is none of S3's. */
  readonly operation: string
  readonly bucket: string
  readonly key: string
  /** How many others were being answered when it came. */
  readonly beside: number
  /** Bytes of the body that have arrived. */
  readonly received: number
  /** Of the answer; 0 as long as there is none. */
  readonly status: number
  /** Bytes of the body that were sent. */
  readonly sent: number
  /** `open` until the answer is sent whole or the connection is closed. */
  readonly outcome: "open" | "answered" | "broken-off"
}
