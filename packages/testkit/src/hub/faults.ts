import type { ConnectionFault, Faults, FaultsOf, PlannedFault } from "../planned-faults.ts"
import type { HubRequest } from "./hub-request.ts"

/** A fault of an answer or of its connection. Numbers of bytes refer to the body. */
export type HubFault =
  | ConnectionFault
  /** This answer instead of the right one. */
  | {
      readonly kind: "refuse"
      readonly status: number
      readonly message?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** A page for people instead of an answer. */
  | { readonly kind: "page"; readonly status: number }
  /** Changed headers; an empty value removes a header. */
  | { readonly kind: "headers"; readonly headers: Readonly<Record<string, string>> }
  /** This text instead of the body. */
  | { readonly kind: "body"; readonly text: string }
  /** Other bytes of the same length, with another ETag. */
  | { readonly kind: "other-version" }
  /** Returns 200 with the whole file for a request with a range. */
  | { readonly kind: "ignore-range" }
  /** Waits a number of milliseconds before the answer. */
  | { readonly kind: "latency"; readonly ms: number }

export type PlannedHubFault = PlannedFault<HubFault, HubRequest>

/** The faults of the fake. They can be added and removed at any time. */
export type HubFaults = Faults<HubFault, HubRequest>

/** The faults of one request, at most one of each kind. */
export type FaultsAtHand = FaultsOf<HubFault>
