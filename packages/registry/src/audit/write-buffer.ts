import type { BackgroundLog } from "@assay/database"

/** Maximum number of milliseconds that an item waits before it is stored. */
const WINDOW_MS = 1000
/** A full batch is stored at once. */
const BATCH = 500
/** Maximum number of items in memory while they can't be stored. */
const MAX_WAITING = 10_000

/** Collects items and stores them in batches: within a second, or as soon as a batch is full. */
export interface WriteBuffer<Item> {
  add(item: Item): void
  /** Stores all items that were added before. */
  flush(): Promise<void>
  /** Stores all items a last time. */
  close(): Promise<void>
}

/** Creates a buffer. If `store` fails, the items are kept for the next batch, and the oldest are dropped at 10,000. */
export function createWriteBuffer<Item>(
  store: (items: readonly Item[]) => Promise<void>,
  log: BackgroundLog,
): WriteBuffer<Item> {
  let waiting: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let storing = Promise.resolve()
  let isClosed = false

  async function storeAll(isLast: boolean): Promise<void> {
    // Items that are added meanwhile wait for the next time: otherwise each of them could become a batch of its own.
    for (let left = waiting.length; isLast ? waiting.length > 0 : left > 0; left -= BATCH) {
      const batch = waiting.slice(0, BATCH)
      try {
        await store(batch)
      } catch (error) {
        const dropped = Math.max(0, waiting.length - MAX_WAITING)
        waiting = waiting.slice(dropped)
        log.warn({ err: error, waiting: waiting.length, dropped }, "Could not store records of writes for the audit")
        if (waiting.length > 0) wait()
        return
      }
      waiting = waiting.slice(batch.length)
    }
    if (waiting.length > 0) wait()
  }

  function flush(isLast = false): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    storing = storing.then(() => storeAll(isLast))
    return storing
  }

  function wait(): void {
    if (!isClosed) timer ??= setTimeout(() => void flush(), WINDOW_MS).unref()
  }

  return {
    add(item) {
      waiting.push(item)
      if (waiting.length % BATCH === 0) void flush()
      else wait()
    },
    flush: () => flush(),
    close() {
      isClosed = true
      return flush(true)
    },
  }
}
