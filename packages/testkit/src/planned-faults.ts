/** A fault of a connection that every fake server of files can have. Numbers of bytes refer to the body. */
export type ConnectionFault =
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

interface AnyFault {
  readonly kind: string
}

export interface PlannedFault<Fault extends AnyFault, Request> {
  /** The requests that it affects. Default: all. */
  readonly when?: (request: Request) => boolean
  /** Number of such requests without the fault before it begins. Default 0. */
  readonly skip?: number
  /** Number of times. Default: every time. */
  readonly times?: number
  readonly fault: Fault
}

/** The faults of a server. They can be added and removed at any time. */
export interface Faults<Fault extends AnyFault, Request> {
  add(planned: PlannedFault<Fault, Request>): void
  clear(): void
}

/** The faults of one request, at most one of each kind. */
export type FaultsOf<Fault extends AnyFault> = <Kind extends Fault["kind"]>(
  kind: Kind,
) => Extract<Fault, { kind: Kind }> | undefined

/** Creates the faults of a server. `take` returns those of a request and counts them. */
export function createFaults<Fault extends AnyFault, Request>(): Faults<Fault, Request> & {
  take(request: Request): FaultsOf<Fault>
} {
  let plans: { readonly planned: PlannedFault<Fault, Request>; spared: number; left: number }[] = []
  return {
    add(planned) {
      plans.push({ planned, spared: planned.skip ?? 0, left: planned.times ?? Infinity })
    },
    clear() {
      plans = []
    },
    take(request) {
      const taken = plans.filter((plan) => {
        if (plan.left <= 0 || plan.planned.when?.(request) === false) return false
        if (plan.spared > 0) {
          plan.spared--
          return false
        }
        plan.left--
        return true
      })
      return <Kind extends Fault["kind"]>(kind: Kind) => {
        const found = taken.find(({ planned }) => planned.fault.kind === kind)
        return found?.planned.fault as Extract<Fault, { kind: Kind }> | undefined
      }
    },
  }
}
