/** Answers all who ask while it is under way with one result. */
export type SharedWork<T> = (signal?: AbortSignal) => Promise<T>

interface Run<T> {
  readonly result: Promise<T>
  readonly ending: AbortController
  waiting: number
}

/**
 * Runs `work` once for all who ask for it at the same time. Who is aborted leaves alone, with the reason; when the last
 * one has left, the work and all that it began is aborted. What it answers or throws is not kept.
 */
export function createSharedWork<T>(work: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
  let running: Run<T> | undefined

  function start(): Run<T> {
    const ending = new AbortController()
    const result = work(ending.signal)
    // Whoever still waits gets the error; after the last one has left it is nobody's.
    result.catch(() => {})
    return { result, ending, waiting: 0 }
  }

  return async (signal) => {
    signal?.throwIfAborted()
    const run = (running ??= start())
    run.waiting += 1
    try {
      return await orAborted(run.result, signal)
    } finally {
      run.waiting -= 1
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
