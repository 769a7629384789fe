import type { ServerResponse } from "node:http"
import type { S3Request } from "./s3-request.ts"

/** A request in progress. Its state is written into the recorded request. */
export type OpenRequest = { -readonly [K in keyof ObjstoreRequest]: ObjstoreRequest[K] }

export interface RequestLog {
  readonly requests: readonly ObjstoreRequest[]
  readonly inFlight: () => number
  /** Records a request, and follows its answer until it is complete or interrupted. */
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

/** A request to the object store and its result. Bodies are counted, not stored. */
export interface ObjstoreRequest {
  readonly method: string
  /** Path and query, exactly as sent. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The operation of S3, for example `GetObject`; empty for other requests. */
  readonly operation: string
  readonly bucket: string
  readonly key: string
  /** Number of other requests in progress when it arrived. */
  readonly beside: number
  /** Received bytes of the body. */
  readonly received: number
  /** Status of the answer; 0 while there is none. */
  readonly status: number
  /** Sent bytes of the body. */
  readonly sent: number
  /** `open` until the answer is complete or the connection is closed. */
  readonly outcome: "open" | "answered" | "broken-off"
}
