/** Gives the result of one run to all callers that arrive while it is running. */
export type SharedWork<T> = (signal?: AbortSignal, onProgress?: () => void) => Promise<T>

interface Run<T> {
  readonly result: Promise<T>
  readonly ending: AbortController
  /** Progress listeners of the waiting callers. */
  readonly listeners: Set<() => void>
  waiting: number
}

/**
 * Runs `work` once for all concurrent callers. A caller whose signal is aborted gets the reason, and the others continue to wait. When the
 * last caller has left, the work is aborted. Results and errors are not kept. Progress is reported to all waiting
 * callers.
 */
export function createSharedWork<T>(work: (signal: AbortSignal, onProgress: () => void) => Promise<T>): SharedWork<T> {
  let running: Run<T> | undefined

  function start(): Run<T> {
    const ending = new AbortController()
    const listeners = new Set<() => void>()
    const result = work(ending.signal, () => {
      for (const listener of listeners) listener()
    })
    // Waiting callers get the error. It must not count as unhandled when the last caller has left.
    result.catch(() => {})
    return { result, ending, listeners, waiting: 0 }
  }

  return async (signal, onProgress) => {
    signal?.throwIfAborted()
    const run = (running ??= start())
    run.waiting += 1
    // A new function for each caller, because two callers may pass the same listener.
    const listener = () => onProgress?.()
    run.listeners.add(listener)
    try {
      return await orAborted(run.result, signal)
    } finally {
      run.waiting -= 1
      run.listeners.delete(listener)
      if (run.waiting === 0) {
        running = undefined
        run.ending.abort()
      }
    }
  }
}

function orAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return result
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener("abort", onAbort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort))
  })
}
