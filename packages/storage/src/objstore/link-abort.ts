/** A signal that is aborted together with another one. */
export interface LinkedAbort {
  readonly signal: AbortSignal
  readonly abort: (reason: unknown) => void
  /** Aborts pending work and stops listening to the other signal. */
  readonly end: () => void
}

/** Creates a linked signal. Unlike `AbortSignal.any`, it leaves no listener on a signal that lives longer. */
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
