import { readFileSync } from "node:fs"
import { TICK_MS, watchUsage, type WatchUsageOptions } from "./watch-usage.ts"

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
