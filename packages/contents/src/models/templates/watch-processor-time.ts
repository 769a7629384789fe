import { readFileSync } from "node:fs"

const LOOK_MS = 100
/** Linux counts processor time in hundredths of a second, whatever its clock is. */
const TICK_MS = 10
/** A process that does not get the processor may take this many times its processor time. */
const WALL_FACTOR = 8

/**
 * Calls `onOver` when the process with `pid` has used `limitMs` of processor time since the call, or eight times that by
 * the wall clock. If the system does not show the time of other processes, as outside Linux, `limitMs` counts by the wall
 * clock. Returns a function that ends the watch.
 */
export function watchProcessorTime(pid: number, limitMs: number, onOver: () => void): () => void {
  const before = processorTime(pid)
  let elapsed = 0
  const timer = setInterval(() => {
    elapsed += LOOK_MS
    const now = processorTime(pid)
    const used = before === undefined || now === undefined ? elapsed : now - before
    if (used > limitMs || elapsed > limitMs * WALL_FACTOR) onOver()
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** Milliseconds, from proc_pid_stat(5): `utime` and `stime`, the 14th and 15th field; the second may hold blanks. */
function processorTime(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1")
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * TICK_MS : undefined
  } catch {
    return undefined
  }
}
