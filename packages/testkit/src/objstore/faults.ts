import { type ObjstoreAnswer, ObjstoreError } from "./objstore-answer.ts"
import type { ObjstoreRequest } from "./request-log.ts"
import type { S3Request } from "./s3-request.ts"

/** What can go wrong with an answer, or on the way. Bytes are counted in the body. */
export type ObjstoreFault =
  /** An error document instead of an answer; the operation is not carried out. With status 200 it looks like success. */
  | { readonly kind: "refuse"; readonly status: number; readonly code?: string; readonly retryAfter?: string | number }
  /** The page of a proxy in between: HTML, which no client of S3 can read. */
  | { readonly kind: "proxy-page"; readonly status: number }
  /** Sends the client to the same path at another origin, and names it in `<Endpoint>`. */
  | { readonly kind: "redirect"; readonly status: 301 | 307; readonly to: string; readonly region?: string }
  /** Closes the connection before any answer. */
  | { readonly kind: "hang-up" }
  /** Closes the connection while so many bytes of an upload have arrived. */
  | { readonly kind: "cut-upload"; readonly after: number }
  /** Closes the connection after so many bytes, in the middle of the body. */
  | { readonly kind: "cut"; readonly after: number }
  /** Falls silent with the socket open, after so many bytes; without a number before the answer begins. */
  | { readonly kind: "stall"; readonly after?: number }
  /** Ends the body after so many bytes as if that were all of it: chunked, without a length. */
  | { readonly kind: "end-early"; readonly after: number }
  /** Sends so many bytes more than belong there: chunked, without a length. */
  | { readonly kind: "run-on"; readonly extra: number }
  /** Changes the byte at that place. */
  | { readonly kind: "wrong-byte"; readonly at: number }
  /** Reads another version of the object: same size, other bytes, other ETag. Obeys `If-Match` unless told not to. */
  | { readonly kind: "other-version"; readonly ignoreIfMatch?: boolean }
  /** Answers 200 with the whole object to a request for a range. */
  | { readonly kind: "ignore-range" }
  /** Leaves the `<ETag>` of the document empty, as Ceph RGW 16 does for completed uploads. */
  | { readonly kind: "empty-etag" }
  /** Waits so many milliseconds before the answer, on top of the latency of all. */
  | { readonly kind: "latency"; readonly ms: number }
  /** Waits for what the test decides before the operation is carried out. */
  | { readonly kind: "hold"; readonly until: Promise<unknown> }
  /** Sends and receives so many bytes per second. */
  | { readonly kind: "rate"; readonly bytesPerSecond: number }

export interface PlannedObjstoreFault {
  /** The requests that it befalls. Default: all. */
  readonly when?: (request: ObjstoreRequest) => boolean
  /** How often. Default: every time. */
  readonly times?: number
  readonly fault: ObjstoreFault
}

/** The faults of a server: added and removed at any time. */
export interface ObjstoreFaults {
  add(planned: PlannedObjstoreFault): void
  clear(): void
}

/** The faults that befall one request, at most one of each kind. */
export type FaultsAtHand = <K extends ObjstoreFault["kind"]>(kind: K) => Extract<ObjstoreFault, { kind: K }> | undefined

/** `take` answers with what befalls a request, and counts it. */
export function createFaults(): ObjstoreFaults & { readonly take: (request: ObjstoreRequest) => FaultsAtHand } {
  let plans: { readonly planned: PlannedObjstoreFault; left: number }[] = []
  return {
    add(planned) {
      plans.push({ planned, left: planned.times ?? Infinity })
    },
    clear() {
      plans = []
    },
    take(request) {
      const taken = plans.filter(({ planned, left }) => left > 0 && (planned.when?.(request) ?? true))
      for (const plan of taken) plan.left--
      return <K extends ObjstoreFault["kind"]>(kind: K) => {
        const found = taken.find(({ planned }) => planned.fault.kind === kind)
        return found?.planned.fault as Extract<ObjstoreFault, { kind: K }> | undefined
      }
    },
  }
}

/** What is answered instead of carrying the operation out, or undefined. Throws what is answered as an error of S3. */
export function faultAnswer(request: S3Request, faults: FaultsAtHand): ObjstoreAnswer | undefined {
  const refuse = faults("refuse")
  if (refuse !== undefined) {
    const { status, code = CODES[status] ?? "InternalError", retryAfter } = refuse
    const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
    throw new ObjstoreError(status, code, "We encountered a problem. Please try again.", { headers })
  }
  const redirect = faults("redirect")
  if (redirect !== undefined) {
    const { status, to, region } = redirect
    const message = "The bucket you are attempting to access must be addressed using the specified endpoint."
    throw new ObjstoreError(status, status === 301 ? "PermanentRedirect" : "TemporaryRedirect", message, {
      details: { Endpoint: new URL(to).host, Bucket: request.bucket },
      headers: {
        location: new URL(to).origin + request.url,
        ...(region !== undefined && { "x-amz-bucket-region": region }),
      },
    })
  }
  const page = faults("proxy-page")
  if (page === undefined) return undefined
  const body = `<html><head><title>${page.status}</title></head><body><h1>${page.status} The gateway is not well</h1></body></html>`
  return { status: page.status, headers: { "content-type": "text/html" }, body }
}

const CODES: Readonly<Record<number, string>> = {
  408: "RequestTimeout",
  429: "SlowDown",
  503: "SlowDown",
  403: "AccessDenied",
}
