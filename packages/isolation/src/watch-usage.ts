import { readFileSync } from "node:fs"
import type { Worker } from "node:worker_threads"

/** Linux counts processor time in hundredths of a second, independent of its clock. */
const CLOCK_MS = 10

/**
 * Watches the usage of the process `pid`. Its memory is the resident set. If the system does not show the processor
 * time of other processes, which is so outside Linux, the wall clock counts instead and memory is not watched.
 */
export function watchProcess(pid: number, options: Omit<WatchUsageOptions, "read">): () => void {
  let elapsed = 0
  return watchUsage({
    ...options,
    read(note) {
      if (options.isWaiting?.() !== true) elapsed += TICK_MS
      const memoryBytes = residentBytes(pid)
      note({ cpuMs: processorTime(pid) ?? elapsed, memoryBytes })
    },
  })
}

/**
 * Returns milliseconds, from proc_pid_stat(5): the 14th and 15th fields, `utime` and `stime`. The second field may
 * contain blanks.
 */
function processorTime(pid: number): number | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`)
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? []
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isFinite(ticks) ? ticks * CLOCK_MS : undefined
}

/** Returns the resident memory, from proc_pid_status(5). */
function residentBytes(pid: number): number | undefined {
  const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(readOrNothing(`/proc/${pid}/status`) ?? "")?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, "latin1")
  } catch {
    return undefined
  }
}

/** Limits of a thread or process. */
export interface UsageLimits {
  /** Milliseconds. */
  readonly cpuMs: number
  /** Mebibytes. */
  readonly memoryMb: number
}

export type LimitName = "time" | "memory"

/** The usage of a thread or process since it started, if it is known. */
interface Usage {
  readonly cpuMs?: number | undefined
  readonly memoryBytes?: number | undefined
}

interface WatchUsageOptions {
  readonly limits: UsageLimits
  /** Calls `note` with the usage, now or later. */
  readonly read: (note: (usage: Usage) => void) => void
  /** Returns true while the work waits for others. The wall clock is paused then. */
  readonly isWaiting?: (() => boolean) | undefined
  readonly onOver: (limit: LimitName) => void
}

const TICK_MS = 50
/**
 * The wall-clock limit, as a multiple of the processor time limit. It applies to work that does not get the processor.
 */
const WALL_FACTOR = 8

/**
 * Calls `onOver` if work exceeds its limits, counted from this call, or takes 8 times its processor time by the wall
 * clock. It checks every 50 ms, so short work costs nothing. Returns a function that ends the watch.
 */
function watchUsage({ limits, read, isWaiting, onOver }: WatchUsageOptions): () => void {
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

/**
 * The engine ends the whole process if a thread reaches these limits. Therefore memory is watched from outside with
 * lower limits.
 */
export const HEAP_LIMITS = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 16 }

/**
 * Watches the processor time and the heap of a thread. A thread in native code reports nothing, but the wall clock
 * still counts.
 */
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
