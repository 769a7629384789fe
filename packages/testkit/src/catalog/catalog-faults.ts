import type { ConnectionFault, Faults, FaultsOf, PlannedFault } from "../planned-faults.ts"
import type { CatalogRequest } from "./catalog-routes.ts"

/** A fault of an answer or of its connection. Numbers of bytes refer to the body. */
export type CatalogFault =
  | ConnectionFault
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
  /** Returns another ETag, as for other bytes. */
  | { readonly kind: "other-version" }
  /** Returns 200 with the whole file for a request with a range. */
  | { readonly kind: "ignore-range" }

export type PlannedCatalogFault = PlannedFault<CatalogFault, CatalogRequest>

/** The faults of the fake. They can be added and removed at any time. */
export type CatalogFaults = Faults<CatalogFault, CatalogRequest>

/** The faults of one request, at most one of each kind. */
export type CatalogFaultsAtHand = FaultsOf<CatalogFault>
