/** A signal of one's own that ends with another one. */
export interface LinkedAbort {
  readonly signal: AbortSignal
  readonly abort: (reason: unknown) => void
  /** Aborts what is still under way, and lets go of the other signal. */
  readonly end: () => void
}

/** Unlike `AbortSignal.any`, it leaves nothing behind on a signal that lives longer. */
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
