import type { ObjstoreRequest } from "./objstore-request.ts"

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
