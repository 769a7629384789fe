import type { HubRequest } from "./hub-request.ts"

/** What can go wrong with an answer, or on the way. Bytes are counted in the body. */
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
  /** Other headers than belong there; an empty value takes one away. */
  | { readonly kind: "headers"; readonly headers: Readonly<Record<string, string>> }
  /** This text instead of the body. */
  | { readonly kind: "body"; readonly text: string }
  /** Closes the connection before any answer. */
  | { readonly kind: "hang-up" }
  /** Closes the connection after so many bytes. */
  | { readonly kind: "cut"; readonly after: number }
  /** Falls silent with the socket open, after so many bytes; without a number before the answer begins. */
  | { readonly kind: "stall"; readonly after?: number }
  /** Ends the body after so many bytes as if that were all of it: chunked, without a length. */
  | { readonly kind: "end-early"; readonly after: number }
  /** Sends so many bytes more than belong there: chunked, without a length. */
  | { readonly kind: "run-on"; readonly extra: number }
  /** Changes the byte at that place. */
  | { readonly kind: "wrong-byte"; readonly at: number }
  /** Other bytes of the same length, with another ETag. */
  | { readonly kind: "other-version" }
  /** Answers 200 with the whole file to a request for a range. */
  | { readonly kind: "ignore-range" }
  /** Waits so many milliseconds before the answer. */
  | { readonly kind: "latency"; readonly ms: number }

export interface PlannedHubFault {
  /** The requests that it befalls. Default: all. */
  readonly when?: (request: HubRequest) => boolean
  /** How many of those are spared before it begins. Default 0. */
  readonly skip?: number
  /** How often. Default: every time. */
  readonly times?: number
  readonly fault: HubFault
}

/** The faults of a server: added and removed at any time. */
export interface HubFaults {
  add(planned: PlannedHubFault): void
  clear(): void
}

/** The faults that befall one request, at most one of each kind. */
export type FaultsAtHand = <K extends HubFault["kind"]>(kind: K) => Extract<HubFault, { kind: K }> | undefined

/** `take` answers with what befalls a request, and counts it. */
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
