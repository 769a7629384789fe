import type { SharedDatabase } from "@assay/database"

/** Tells all processes at once that a queue has messages. A process that hears nothing finds them when it looks next. */
export interface QueueBell {
  /** Tells all processes that a queue has messages. Never throws. */
  ring(queue: string): Promise<void>
  /** Starts to listen. Returns a function that ends it. */
  listen(queue: string, listener: BellListener): () => Promise<void>
}

export interface BellListener {
  readonly onRing: () => void
  /** Called when the listener begins to hear, and when it stops. It misses what rings between. */
  readonly onHearing: (isHearing: boolean) => void
}

/** Creates a bell that rings by notices of a shared database. */
export function createQueueBell({ listen, notify }: Pick<SharedDatabase, "listen" | "notify">): QueueBell {
  const noticeOf = (queue: string) => `queue ${queue}`
  return {
    // A bell that does not ring costs the time until the next look.
    ring: (queue) => notify(noticeOf(queue)).catch(() => {}),
    listen(queue, { onRing, onHearing }) {
      const onNotice = (text: string) => {
        if (text === noticeOf(queue)) onRing()
      }
      return listen({ onNotice, onHearing })
    },
  }
}

/** A bell for a queue whose processes only look. */
export const SILENT_BELL: QueueBell = { ring: async () => {}, listen: () => async () => {} }
