export interface LinkedSignal {
  readonly signal: AbortSignal
  readonly cancel: () => void
}

/** A signal that is aborted with `outer`, or by `cancel`. */
export function linkSignal(outer: AbortSignal | undefined): LinkedSignal {
  const own = new AbortController()
  const signal = outer === undefined ? own.signal : AbortSignal.any([outer, own.signal])
  return { signal, cancel: () => own.abort() }
}
