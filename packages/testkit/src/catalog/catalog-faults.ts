import type { CatalogRequest } from "./catalog-request.ts"

/** What can go wrong with an answer, or on the way. Bytes are counted in the body. */
export type CatalogFault =
  /** A `requestStatus` instead of an answer; with status 200 it looks like success. `echo` says again what key was sent. */
  | {
      readonly kind: "refuse"
      readonly status: number
      readonly statusCode?: string
      readonly description?: string
      readonly retryAfter?: string | number
      readonly echo?: boolean
    }
  /** Another JSON in place of the answer. */
  | { readonly kind: "answer"; readonly body: object }
  /** The page of a proxy in between: HTML. */
  | { readonly kind: "proxy-page"; readonly status: number }
  /** Sends the client to another address. */
  | { readonly kind: "redirect"; readonly to: string }
  /** Closes the connection before any answer. */
  | { readonly kind: "hang-up" }
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
  /** Answers with another ETag, as for other bytes. */
  | { readonly kind: "other-version" }
  /** Answers 200 with the whole file to a request for a range. */
  | { readonly kind: "ignore-range" }

export interface PlannedCatalogFault {
  /** The requests that it befalls. Default: all. */
  readonly when?: (request: CatalogRequest) => boolean
  /** How often. Default: every time. */
  readonly times?: number
  readonly fault: CatalogFault
}

/** The faults of the catalog: added and removed at any time. */
export interface CatalogFaults {
  add(planned: PlannedCatalogFault): void
  clear(): void
}

/** The faults that befall one request, at most one of each kind. */
export type CatalogFaultsAtHand = <K extends CatalogFault["kind"]>(
  kind: K,
) => Extract<CatalogFault, { kind: K }> | undefined

/** `take` answers with what befalls a request, and counts it. */
export function createCatalogFaults(): CatalogFaults & { take(request: CatalogRequest): CatalogFaultsAtHand } {
  let plans: { readonly planned: PlannedCatalogFault; left: number }[] = []
  return {
    add(planned) {
      plans.push({ planned, left: planned.times ?? Infinity })
    },
    clear() {
      plans = []
    },
    take(request) {
      const taken = plans.filter(({ planned, left }) => left > 0 && (planned.when?.(request) ?? true))
      for (const plan of taken) plan.left -= 1
      return <K extends CatalogFault["kind"]>(kind: K) => {
        const found = taken.find(({ planned }) => planned.fault.kind === kind)
        return found?.planned.fault as Extract<CatalogFault, { kind: K }> | undefined
      }
    },
  }
}
