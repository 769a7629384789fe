/** Stops a run before all of its rows are done. */
export interface Stop {
  /** Returns why the run stops; undefined if it continues. The first reason counts. */
  end(): PlanEnd | undefined
  /** Stops the run from beginning new rows. */
  with(end: PlanEnd): void
  /** Also gives up the rows that are in flight. */
  now(end: PlanEnd): void
  /** Aborted when no new row may begin. */
  readonly begin: AbortSignal
  /** Aborted when rows in flight are given up. */
  readonly work: AbortSignal
  /** Stops listening to the caller's signal. */
  dispose(): void
}

const ABORTED: PlanEnd = { kind: "aborted" }

export function createStop(signal: AbortSignal): Stop {
  const begin = new AbortController()
  const work = new AbortController()
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
import type { PlanEnd } from "./run-outcome.ts"
