/** An abort signal of our own that also follows another one. */
export interface LinkedAbort {
  readonly signal: AbortSignal
  readonly abort: (reason: unknown) => void
  /** Aborts what is still running, and stops listening to the other signal. */
  readonly end: () => void
}

/**
 * Creates a signal that is aborted with `outer`, or by its own `abort` and `end`. Unlike `anySignal`, it leaves nothing
 * behind on an `outer` that lives longer, once `end` was called.
 */
export function linkAbort(outer: AbortSignal | undefined): LinkedAbort {
  const own = new AbortController()
  const onAbort = () => own.abort(outer?.reason)
  if (outer?.aborted === true) onAbort()
  else outer?.addEventListener("abort", onAbort, { once: true })
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    end() {
      outer?.removeEventListener("abort", onAbort)
      own.abort()
    },
  }
}

/** Returns a signal that is aborted with the first of those given, or undefined if there is none. */
export function anySignal(first: AbortSignal, ...others: readonly (AbortSignal | undefined)[]): AbortSignal
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}
