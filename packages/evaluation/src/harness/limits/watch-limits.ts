import { statfs } from "node:fs/promises"
import { setTimeout as pause } from "node:timers/promises"
import type { HarnessLimits } from "@assay/schemas"
import { formatAmount } from "./harness-limits.ts"
import { measureDisk, measureProcesses } from "./measure-use.ts"

export interface WatchOptions {
  readonly limits: HarnessLimits
  /** That it writes to. */
  readonly folders: readonly string[]
  /** In milliseconds. */
  readonly now: () => number
  /** Told once, with what it had and how to get more. */
  readonly onOver: (what: string) => void
}

const PROCESSES_MS = 250
const DISK_MS = 1000
/** What a harness leaves free on a disk for others, whatever its own limit. */
const FREE_BYTES = 268_435_456

/**
 * Watches what a harness uses until the answer is called. The system bounds memory, processor time and folders of a group of
 * processes in control groups alone, which a server may seldom make; looking at them works for every server.
 */
export function watchLimits(leader: number, options: WatchOptions): () => void {
  const closing = new AbortController()
  const { signal } = closing
  const tell = (what: string) => {
    if (signal.aborted) return
    closing.abort()
    options.onOver(what)
  }
  const { now } = options
  void watch({ everyMs: PROCESSES_MS, now, signal }, async () => processesOver(leader, options.limits, tell))
  void watch({ everyMs: DISK_MS, now, signal }, async () => diskOver(options, signal, tell))
  return () => closing.abort()
}

interface WatchTimes extends Pick<WatchOptions, "now"> {
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** Looks until it ends. A look takes longer where there is more to see, and gets more time between. */
async function watch({ everyMs, now, signal }: WatchTimes, look: () => Promise<void>): Promise<void> {
  try {
    while (!signal.aborted) {
      const started = now()
      await look()
      await pause(Math.max(everyMs, 4 * (now() - started)), undefined, { signal })
    }
  } catch {
    // It has ended.
  }
}

async function processesOver(leader: number, limits: HarnessLimits, tell: (what: string) => void): Promise<void> {
  const use = await measureProcesses(leader)
  for (const name of ["memory", "cpu", "processes"] as const) {
    const limit = limits[name]
    if (limit !== undefined && use[name] > limit) return tell(over(name, use[name], limit))
  }
}

async function diskOver(
  { limits: { disk }, folders }: WatchOptions,
  signal: AbortSignal,
  tell: (what: string) => void,
): Promise<void> {
  if (disk === undefined) return
  const used = await measureDisk(folders, signal)
  if (used > disk) return tell(over("disk", used, disk))
  const { bavail, bsize } = await statfs(folders[0] ?? ".")
  // Files that are deleted and still open are in no folder.
  if (bavail * bsize < FREE_BYTES) {
    tell(`the disk of its folder had less than ${formatAmount("memory", FREE_BYTES).replace(" of memory", "")} left`)
  }
}

function over(name: keyof HarnessLimits, used: number, limit: number): string {
  return `it had ${formatAmount(name, used)}, and may have ${formatAmount(name, limit)} (harness.limits.${name})`
}
