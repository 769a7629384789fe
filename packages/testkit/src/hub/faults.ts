import type { HubRequest } from "./hub-request.ts"

/** A fault of an answer or of its connection. Numbers of bytes refer to the body. */
export type HubFault =
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
  /** Closes the connection before the answer. */
  | { readonly kind: "hang-up" }
  /** Closes the connection after a number of bytes. */
  | { readonly kind: "cut"; readonly after: number }
  /** Stops sending after a number of bytes and keeps the socket open. Without a number, it stops before the answer. */
  | { readonly kind: "stall"; readonly after?: number }
  /** Ends the body after a number of bytes as if it were complete: chunked, without a length. */
  | { readonly kind: "end-early"; readonly after: number }
  /** Sends a number of extra bytes: chunked, without a length. */
  | { readonly kind: "run-on"; readonly extra: number }
  /** Changes the byte at this position. */
  | { readonly kind: "wrong-byte"; readonly at: number }
  /** Other bytes of the same length, with another ETag. */
  | { readonly kind: "other-version" }
  /** Returns 200 with the whole file for a request with a range. */
  | { readonly kind: "ignore-range" }
  /** Waits a number of milliseconds before the answer. */
  | { readonly kind: "latency"; readonly ms: number }

export interface PlannedHubFault {
  /** The requests that it affects. Default: all. */
  readonly when?: (request: HubRequest) => boolean
  /** Number of such requests without the fault before it begins. Default 0. */
  readonly skip?: number
  /** Number of times. Default: every time. */
  readonly times?: number
  readonly fault: HubFault
}

/** The faults of a server. They can be added and removed at any time. */
export interface HubFaults {
  add(planned: PlannedHubFault): void
  clear(): void
}

/** The faults of one request, at most one of each kind. */
export type FaultsAtHand = <K extends HubFault["kind"]>(kind: K) => Extract<HubFault, { kind: K }> | undefined

/** `take` returns the faults of a request and counts them. */
export function createFaults(): HubFaults & { take(request: HubRequest): FaultsAtHand } {
  let plans: { readonly planned: PlannedHubFault; spared: number; left: number }[] = []
  return {
    add(planned) {
      plans.push({ planned, spared: planned.skip ?? 0, left: planned.times ?? Infinity })
    },
    clear() {
      plans = []
    },
    take(request) {
      const taken = plans.filter((plan) => {
        if (plan.left === 0 || plan.planned.when?.(request) === false) return false
        if (plan.spared > 0) {
          plan.spared--
          return false
        }
        plan.left--
        return true
      })
      return <K extends HubFault["kind"]>(kind: K) => {
        const found = taken.find(({ planned }) => planned.fault.kind === kind)
        return found?.planned.fault as Extract<HubFault, { kind: K }> | undefined
      }
    },
  }
}
