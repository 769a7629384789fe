import type { ServerResponse } from "node:http"
import type { S3Request } from "./s3-request.ts"
import type { ObjstoreRequest } from "./objstore-request.ts"

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
