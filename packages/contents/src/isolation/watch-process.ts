import { readFileSync } from "node:fs"
import { TICK_MS, watchUsage, type WatchUsageOptions } from "./watch-usage.ts"

/** Linux counts processor time in hundredths of a second, whatever its clock is. */
const CLOCK_MS = 10

/**
 * Watches the usage of the process with `pid`. Its memory is what it has in RAM. If the system does not show the time of other
 * processes, as outside Linux, the limit counts by the wall clock, and memory is not watched.
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

/** Milliseconds, from proc_pid_stat(5): `utime` and `stime`, the 14th and 15th field; the second may hold blanks. */
function processorTime(pid: number): number | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`)
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? []
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isFinite(ticks) ? ticks * CLOCK_MS : undefined
}

/** From proc_pid_status(5). */
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
