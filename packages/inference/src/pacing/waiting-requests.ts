/** The requests of one pacer that wait for their turn, in the order of their calls. */
export interface WaitingRequests {
  /**
   * Waits until the request is released.
   * @throws the reason of `signal`
   */
  wait(signal: AbortSignal | undefined): Promise<void>
  /** Releases the request that has waited longest, if there is one. */
  release(): void
  readonly size: number
}

/** Creates the queue of a pacer. `run` starts when a request begins to wait and none did; it releases requests until none waits. */
export function createWaitingRequests(run: () => Promise<void>): WaitingRequests {
  const waiting = new Set<() => void>()
  let isRunning = false

  function start(): void {
    if (isRunning) return
    isRunning = true
    void run().finally(() => {
      isRunning = false
    })
  }

  return {
    async wait(signal) {
      await new Promise<void>((resolve, reject) => {
        const end = () => {
          signal?.removeEventListener("abort", give)
          resolve()
        }
        const give = () => {
          waiting.delete(end)
          reject(signal?.reason as Error)
        }
        signal?.addEventListener("abort", give, { once: true })
        waiting.add(end)
        start()
      })
    },
    release() {
      const [first] = waiting
      if (first === undefined) return
      waiting.delete(first)
      first()
    },
    get size() {
      return waiting.size
    },
  }
}
