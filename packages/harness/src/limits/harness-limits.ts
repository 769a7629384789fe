import { statfs } from "node:fs/promises"
import { setTimeout as pause } from "node:timers/promises"
import { AssayError, type HarnessLimits } from "@assay/schemas"
import { measureDisk, measureProcesses } from "./measure-use.ts"

const NAMES = ["memory", "cpu", "processes", "disk"] as const

/** Returns the limits of a harness: those of its configuration, lowered to those of the operator. */
export function joinLimits(own: HarnessLimits, max: HarnessLimits = {}): HarnessLimits {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const limits = [own[name], max[name]].filter((limit) => limit !== undefined)
      return limits.length === 0 ? [] : [[name, Math.min(...limits)]]
    }),
  )
}

/** Checks that no limit is above that of the operator. @throws `invalid_request` */
export function checkLimits(own: HarnessLimits, max: HarnessLimits = {}): void {
  for (const name of NAMES) {
    const [asked = 0, given = Infinity] = [own[name], max[name]]
    if (asked <= given) continue
    throw new AssayError(
      "invalid_request",
      `config.harness.limits.${name}: ${formatAmount(name, asked)} is more than a harness may use here (${formatAmount(name, given)}); lower it, or ask the operator to raise ASSAY_HARNESS_LIMITS.`,
    )
  }
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"]

/** Formats an amount of what a limit bounds, with its unit. */
function formatAmount(limit: keyof HarnessLimits, amount: number): string {
  if (limit === "cpu") return `${Math.round(amount * 10) / 10} s of processor time`
  if (limit === "processes") return `${amount} processes and threads`
  const power = amount < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(amount) / 10))
  const text = `${Math.round((amount / 1024 ** power) * 10) / 10} ${UNITS[power]}`
  return limit === "memory" ? `${text} of memory` : `${text} on disk`
}

interface WatchOptions {
  readonly limits: HarnessLimits
  /** The folders that the harness writes to. */
  readonly folders: readonly string[]
  /** In milliseconds. */
  readonly now: () => number
  /** Called once, with what the harness used and which limit it exceeded. */
  readonly onOver: (what: string) => void
}

const PROCESSES_MS = 250
const DISK_MS = 1000
/** Even if measuring takes longer: on a busy machine it is mostly waiting. */
const LONGEST_PAUSE_MS = 10_000
/** Bytes that a harness has to leave free on the disk, with any limit of its own. */
const FREE_BYTES = 268_435_456

/**
 * Watches what a harness uses, until the returned function is called. Linux can limit the memory, processor time and disk use of a
 * group of processes only with control groups, which a server is seldom allowed to create. Measuring works on every server.
 */
export function watchLimits(leader: number, options: WatchOptions): () => void {
  const closing = new AbortController()
  const { signal } = closing
  const report = (what: string) => {
    if (signal.aborted) return
    closing.abort()
    options.onOver(what)
  }
  const { now } = options
  void watch({ everyMs: PROCESSES_MS, now, signal }, async () => processesOver(leader, options.limits, report))
  void watch({ everyMs: DISK_MS, now, signal }, async () => diskOver(options, signal, report))
  return () => closing.abort()
}

interface WatchTimes extends Pick<WatchOptions, "now"> {
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** Measures repeatedly until the signal aborts. If measuring takes long, the pauses get longer too. */
async function watch({ everyMs, now, signal }: WatchTimes, measure: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const started = now()
    // A machine that can't start one more process now may be able to later.
    await measure().catch(() => {})
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(everyMs, 4 * (now() - started)))
    await pause(pauseMs, undefined, { signal }).catch(() => {})
  }
}

async function processesOver(leader: number, limits: HarnessLimits, report: (what: string) => void): Promise<void> {
  const use = await measureProcesses(leader)
  for (const name of ["memory", "cpu", "processes"] as const) {
    const limit = limits[name]
    if (limit !== undefined && use[name] > limit) return report(over(name, use[name], limit))
  }
}

async function diskOver(
  { limits: { disk }, folders }: WatchOptions,
  signal: AbortSignal,
  report: (what: string) => void,
): Promise<void> {
  if (disk === undefined) return
  const used = await measureDisk(folders, signal)
  if (used > disk) return report(over("disk", used, disk))
  const { bavail, bsize } = await statfs(folders[0] ?? ".")
  // Deleted files that are still open use space but are in no folder.
  if (bavail * bsize < FREE_BYTES) {
    report(`the disk of its folder had less than ${formatAmount("memory", FREE_BYTES).replace(" of memory", "")} left`)
  }
}

function over(name: keyof HarnessLimits, used: number, limit: number): string {
  return `it used ${formatAmount(name, used)}, and its limit is ${formatAmount(name, limit)} (harness.limits.${name})`
}
