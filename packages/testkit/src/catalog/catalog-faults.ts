import type { CatalogRequest } from "./catalog-routes.ts"

/** A fault of an answer or of its connection. Numbers of bytes refer to the body. */
export type CatalogFault =
  /** A `requestStatus` instead of an answer. With status 200 it looks like success. `echo` repeats the key of the request. */
  | {
      readonly kind: "refuse"
      readonly status: number
      readonly statusCode?: string
      readonly description?: string
      readonly retryAfter?: string | number
      readonly echo?: boolean
    }
  /** Other JSON instead of the answer. */
  | { readonly kind: "answer"; readonly body: object }
  /** The HTML page of a proxy. */
  | { readonly kind: "proxy-page"; readonly status: number }
  /** Redirects the client to another address. */
  | { readonly kind: "redirect"; readonly to: string }
  /** Closes the connection before the answer. */
  | { readonly kind: "hang-up" }
  /** Closes the connection after a number of bytes, in the middle of the body. */
  | { readonly kind: "cut"; readonly after: number }
  /** Stops sending after a number of bytes and keeps the socket open. Without a number, it stops before the answer. */
  | { readonly kind: "stall"; readonly after?: number }
  /** Ends the body after a number of bytes as if it were complete: chunked, without a length. */
  | { readonly kind: "end-early"; readonly after: number }
  /** Sends a number of extra bytes: chunked, without a length. */
  | { readonly kind: "run-on"; readonly extra: number }
  /** Changes the byte at this position. */
  | { readonly kind: "wrong-byte"; readonly at: number }
  /** Returns another ETag, as for other bytes. */
  | { readonly kind: "other-version" }
  /** Returns 200 with the whole file for a request with a range. */
  | { readonly kind: "ignore-range" }

export interface PlannedCatalogFault {
  /** The requests that it affects. Default: all. */
  readonly when?: (request: CatalogRequest) => boolean
  /** Number of times. Default: every time. */
  readonly times?: number
  readonly fault: CatalogFault
}

/** The faults of the catalog. They can be added and removed at any time. */
export interface CatalogFaults {
  add(planned: PlannedCatalogFault): void
  clear(): void
}

/** The faults of one request, at most one of each kind. */
export type CatalogFaultsAtHand = <K extends CatalogFault["kind"]>(
  kind: K,
) => Extract<CatalogFault, { kind: K }> | undefined

/** `take` returns the faults of a request and counts them. */
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
