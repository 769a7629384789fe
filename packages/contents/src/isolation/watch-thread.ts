import type { Worker } from "node:worker_threads"
import { watchUsage, type WatchUsageOptions } from "./watch-usage.ts"

/** The engine ends the whole process when a thread reaches these limits, so that memory is watched from outside. */
export const HEAP_LIMITS = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 16 }

/** Watches the processor time and the heap of a thread. It answers nothing while it is in native code; the wall clock goes on. */
export function watchThread(worker: Worker, options: Omit<WatchUsageOptions, "read">): () => void {
  return watchUsage({
    ...options,
    read(note) {
      worker.cpuUsage().then(
        ({ user, system }) => note({ cpuMs: (user + system) / 1000 }),
        () => {},
      )
      worker.getHeapStatistics().then(
        ({ used_heap_size: memoryBytes }) => note({ memoryBytes }),
        () => {},
      )
    },
  })
}
