import type { ServerResponse } from "node:http"
import type { S3Request } from "./s3-request.ts"

/** A request that is being answered: how it goes is written into what was handed out. */
export type OpenRequest = { -readonly [K in keyof ObjstoreRequest]: ObjstoreRequest[K] }

export interface RequestLog {
  readonly requests: readonly ObjstoreRequest[]
  readonly inFlight: () => number
  /** Notes a request, and follows its answer until it is sent or broken off. */
  note(request: S3Request, operation: string, response: ServerResponse): OpenRequest
}

export function createRequestLog(): RequestLog {
  const requests: ObjstoreRequest[] = []
  let inFlight = 0
  return {
    requests,
    inFlight: () => inFlight,
    note({ method, url, headers, bucket, key }, operation, response) {
      const asked = { method, url, headers, operation, bucket, key }
      const open: OpenRequest = { ...asked, beside: inFlight, received: 0, status: 0, sent: 0, outcome: "open" }
      requests.push(open)
      inFlight++
      response.once("close", () => {
        open.outcome = response.writableFinished ? "answered" : "broken-off"
        inFlight--
      })
      return open
    },
  }
}

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
