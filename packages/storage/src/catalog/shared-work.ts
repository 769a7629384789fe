import { unlessAborted } from "@assay/http"

/** Answers all who ask while it is under way with one result. */
export type SharedWork<T> = (signal?: AbortSignal, onProgress?: () => void) => Promise<T>

interface Run<T> {
  readonly result: Promise<T>
  readonly ending: AbortController
  /** Of those who wait. */
  readonly listeners: Set<() => void>
  waiting: number
}

/**
 * Runs `work` once for all who ask for it at the same time. Who is aborted leaves alone, with the reason; when the last
 * one has left, the work and all that it began is aborted. What it answers or throws is not kept. All who wait are told of the
 * progress that the work tells.
 */
export function createSharedWork<T>(work: (signal: AbortSignal, onProgress: () => void) => Promise<T>): SharedWork<T> {
  let running: Run<T> | undefined

  function start(): Run<T> {
    const ending = new AbortController()
    const listeners = new Set<() => void>()
    const result = work(ending.signal, () => {
      for (const listener of listeners) listener()
    })
    // Whoever still waits gets the error; after the last one has left it is nobody's.
    result.catch(() => {})
    return { result, ending, listeners, waiting: 0 }
  }

  return async (signal, onProgress) => {
    signal?.throwIfAborted()
    const run = (running ??= start())
    run.waiting += 1
    // One of its own, since two who wait may have the same.
    const listener = () => onProgress?.()
    run.listeners.add(listener)
    try {
      return await unlessAborted(run.result, signal)
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
