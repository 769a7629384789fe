/** The requests of one pacer that wait for their turn. Their senders take turns; requests of one sender are in the order of their calls. */
export interface WaitingRequests {
  /**
   * Waits until the request is released.
   * @throws the reason of `signal`
   */
  wait(signal: AbortSignal | undefined, sender: string | undefined): Promise<void>
  /** Releases the request of the next sender that has waited longest, if there is one. */
  release(): void
  readonly size: number
}

/** Creates the queue of a pacer. `run` starts when a request begins to wait and none did; it releases requests until none waits. */
export function createWaitingRequests(run: () => Promise<void>): WaitingRequests {
  /** The sender whose turn is next is the first one. */
  const senders = new Map<string | undefined, Set<() => void>>()
  let size = 0
  let isRunning = false

  function start(): void {
    if (isRunning) return
    isRunning = true
    void run().finally(() => {
      isRunning = false
    })
  }

  function add(sender: string | undefined, end: () => void): void {
    const own = senders.get(sender) ?? new Set()
    senders.set(sender, own.add(end))
    size += 1
  }

  function remove(sender: string | undefined, end: () => void): void {
    const own = senders.get(sender)
    if (own?.delete(end) !== true) return
    if (own.size === 0) senders.delete(sender)
    size -= 1
  }

  return {
    async wait(signal, sender) {
      await new Promise<void>((resolve, reject) => {
        const end = () => {
          signal?.removeEventListener("abort", give)
          resolve()
        }
        const give = () => {
          remove(sender, end)
          reject(signal?.reason as Error)
        }
        signal?.addEventListener("abort", give, { once: true })
        add(sender, end)
        start()
      })
    },
    release() {
      const [next] = senders
      if (next === undefined) return
      const [sender, own] = next
      const [first] = own
      if (first === undefined) return
      remove(sender, first)
      // All others are before it now.
      if (senders.delete(sender)) senders.set(sender, own)
      first()
    },
    get size() {
      return size
    },
  }
}
