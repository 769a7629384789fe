import type { PlanEnd } from "./plan-outcome.ts"

/** How a run comes to its end before its rows do. */
export interface Stop {
  /** Why; undefined while it goes on. The first reason counts. */
  end(): PlanEnd | undefined
  /** Nothing new is begun. */
  with(end: PlanEnd): void
  /** What is under way is given up too. */
  now(end: PlanEnd): void
  /** Aborted when nothing new is to be begun. */
  readonly begin: AbortSignal
  /** Aborted when what is under way is to be given up. */
  readonly work: AbortSignal
  /** Lets go of the caller's signal. */
  dispose(): void
}

const ABORTED: PlanEnd = { kind: "aborted" }

export function createStop(signal: AbortSignal): Stop {
  const [begin, work] = [new AbortController(), new AbortController()]
  let reason: PlanEnd | undefined
  const stop = (end: PlanEnd): void => {
    reason ??= end
    begin.abort(signal.reason)
  }
  const stopNow = (end: PlanEnd): void => {
    stop(end)
    work.abort(signal.reason)
  }
  const onAbort = () => stopNow(ABORTED)
  if (signal.aborted) onAbort()
  else signal.addEventListener("abort", onAbort, { once: true })
  return {
    end: () => reason,
    with: stop,
    now: stopNow,
    begin: begin.signal,
    work: work.signal,
    dispose: () => signal.removeEventListener("abort", onAbort),
  }
}
