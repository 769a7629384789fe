import type { AssayError } from "@assay/schemas"
import { failedCheck, type FailedCheck, type LaunchCheck } from "./launch-report.ts"

/** Runs the checks of one launch with a time limit for each. */
export interface CheckRun {
  /** The time limit of each check, in milliseconds. */
  readonly limitMs: number
  /**
   * Runs a check. It fails at the time limit, even if its work ignores the signal.
   * @throws only the reason of the launch's signal
   */
  run<T>(
    check: LaunchCheck,
    work: (signal: AbortSignal) => Promise<T>,
    tooSlow: () => AssayError,
  ): Promise<CheckOutcome<T>>
}

export type CheckOutcome<T> = { readonly value: T } | { readonly failed: FailedCheck }

export function createCheckRun(limitMs: number, signal: AbortSignal): CheckRun {
  return {
    limitMs,
    async run(check, work, tooSlow) {
      signal.throwIfAborted()
      const limit = new AbortController()
      const ending = AbortSignal.any([signal, limit.signal])
      const timer = setTimeout(() => limit.abort(tooSlow()), limitMs)
      const stopped = Promise.withResolvers<never>()
      const stop = () => stopped.reject(ending.reason)
      ending.addEventListener("abort", stop, { once: true })
      try {
        return { value: await Promise.race([work(ending), stopped.promise]) }
      } catch (error) {
        signal.throwIfAborted()
        return { failed: failedCheck(check, limit.signal.aborted ? limit.signal.reason : error) }
      } finally {
        clearTimeout(timer)
        ending.removeEventListener("abort", stop)
      }
    },
  }
}

export function formatLimit(limitMs: number): string {
  return limitMs < 1000 ? `${limitMs} ms` : `${limitMs / 1000} s`
}
