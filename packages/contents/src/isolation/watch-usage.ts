import type { Worker } from "node:worker_threads"

/** What a thread or process may use. */
export interface UsageLimits {
  /** Milliseconds of processor time. */
  readonly cpuMs: number
  /** Mebibytes. */
  readonly memoryMb: number
}

export type LimitName = "time" | "memory"

/** What a thread or process has used since it started, as far as it is known. */
interface Usage {
  readonly cpuMs?: number | undefined
  readonly memoryBytes?: number | undefined
}

export interface WatchUsageOptions {
  readonly limits: UsageLimits
  /** Calls `note` with what has been used, now or as soon as it is known. */
  readonly read: (note: (usage: Usage) => void) => void
  /** True while the work waits for somebody else: the wall clock stands still. */
  readonly isWaiting?: (() => boolean) | undefined
  readonly onOver: (limit: LimitName) => void
}

export const TICK_MS = 50
/** Work that does not get the processor may take this many times its processor time. */
const WALL_FACTOR = 8

/**
 * Calls `onOver` when work has used more than its limits since the call, or eight times its processor time by the wall clock.
 * It looks every 50 ms, so that short work costs nothing. Returns a function that ends the watch.
 */
export function watchUsage({ limits, read, isWaiting, onOver }: WatchUsageOptions): () => void {
  const { cpuMs, memoryMb } = limits
  let ticks = 0
  let before: number | undefined
  let used = 0
  let memory = 0
  const note = ({ cpuMs: total, memoryBytes }: Usage) => {
    if (total !== undefined) {
      before ??= total - TICK_MS
      used = total - before
    }
    memory = memoryBytes ?? memory
  }
  const timer = setInterval(() => {
    if (isWaiting?.() !== true) ticks++
    if (used > cpuMs || ticks * TICK_MS > WALL_FACTOR * cpuMs) onOver("time")
    else if (memory > memoryMb * 1024 * 1024) onOver("memory")
    else read(note)
  }, TICK_MS)
  return () => clearInterval(timer)
}

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
