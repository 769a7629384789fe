import { readdir, readFile } from "node:fs/promises"

/** Processor time in seconds since each process began. */
export interface ProcessorTime {
  readonly self: number
  /** All processes that a process started, and those that they started. */
  readonly children: number
}

interface Stat {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
  /** The time of children that have ended. */
  readonly ended: number
}

/** The unit in `/proc/PID/stat`, which is the same on all machines with Linux. */
const TICKS_PER_SECOND = 100

/** Reads the processor time of processes from `/proc`. Each tree begins with one of `pids`, and does not contain the others. Linux only. */
export async function readProcessorTime(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessorTime>> {
  const names = await readdir("/proc").catch(() => [])
  const read = names.filter((name) => /^\d+$/.test(name)).map(readStat)
  const stats = (await Promise.all(read)).filter((stat) => stat !== undefined)
  const parts = new Map(stats.map((stat) => [stat.pid, stat]))
  const rootOf = (pid: number | undefined): number | undefined =>
    pid === undefined || pids.includes(pid) ? pid : rootOf(parts.get(pid)?.parent)
  const found = new Map(pids.map((pid) => [pid, { self: parts.get(pid)?.seconds ?? Number.NaN, children: 0 }]))
  for (const { pid, seconds, ended } of stats) {
    const tree = found.get(rootOf(pid) ?? -1)
    if (tree !== undefined) tree.children += pids.includes(pid) ? ended : seconds + ended
  }
  return found
}

/** Returns undefined if the process has ended. */
async function readStat(name: string): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "")
  // The name of the program, in parentheses, can contain spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => Number(fields[at]))
  if (parent === undefined || Number.isNaN(parent)) return undefined
  const seconds = (ticks = 0, others = 0) => (ticks + others) / TICKS_PER_SECOND
  return { pid: Number(name), parent, seconds: seconds(user, system), ended: seconds(endedUser, endedSystem) }
}
