import { readFileSync, readdirSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"

interface ProcessUse {
  /** Bytes of memory, without mapped files. Memory that processes share counts once for each process. */
  readonly memory: number
  /** Seconds of processor time, including children that have ended. */
  readonly cpu: number
  /** Processes and threads. */
  readonly processes: number
}

interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly ticks: number
  readonly threads: number
}

/** Linux reports times in hundredths of a second on every machine. */
const TICKS_PER_SECOND = 100
/** How many files of `/proc` are read in one turn of the event loop. Reading one takes microseconds. */
const READS_PER_TURN = 100

/** Measures what the process group of `leader` and all processes that it started use now. Returns zeros if the system has no `/proc`. */
export async function measureProcesses(leader: number): Promise<ProcessUse> {
  const facts = await listProcesses()
  const children = Map.groupBy(facts, ({ parent }) => parent)
  const members = new Map<number, ProcessFacts>()
  const found = facts.filter(({ pid, group }) => pid === leader || group === leader)
  for (let one = found.pop(); one !== undefined; one = found.pop()) {
    if (members.has(one.pid)) continue
    members.set(one.pid, one)
    found.push(...(children.get(one.pid) ?? []))
  }
  let use: ProcessUse = { memory: 0, cpu: 0, processes: 0 }
  for await (const { pid, ticks, threads } of inTurns([...members.values()])) {
    use = {
      memory: use.memory + memoryOf(pid),
      cpu: use.cpu + ticks / TICKS_PER_SECOND,
      processes: use.processes + threads,
    }
  }
  return use
}

async function listProcesses(): Promise<readonly ProcessFacts[]> {
  const found: ProcessFacts[] = []
  for await (const name of inTurns(namesOf("/proc"))) {
    const facts = /^\d+$/.test(name) ? factsOf(Number(name)) : undefined
    if (facts !== undefined) found.push(facts)
  }
  return found
}

async function* inTurns<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % READS_PER_TURN === 0) await setImmediate()
    yield item
  }
}

function namesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Reads the fields of `/proc/<pid>/stat` (proc(5)). The name of the program is in brackets and can contain any character. */
function factsOf(pid: number): ProcessFacts | undefined {
  const text = readTextOrEmpty(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  if (fields.length < 18) return undefined
  const parent = Number(fields[1])
  const group = Number(fields[2])
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid, parent, group, ticks, threads: Number(fields[17]) }
}

function memoryOf(pid: number): number {
  const text = readTextOrEmpty(`/proc/${pid}/status`)
  const kib = [...text.matchAll(/^Rss(?:Anon|Shmem):\s*(\d+) kB$/gm)].reduce((sum, [, size]) => sum + Number(size), 0)
  return kib * 1024
}

/** Reads a file. Returns an empty text if its process has ended. */
function readTextOrEmpty(file: string): string {
  try {
    return readFileSync(file, "latin1")
  } catch {
    return ""
  }
}

/**
 * Measures the bytes on disk below some folders. The program `du` counts them: it handles folders of any depth, follows no links, and
 * does not block this process. Folders that it can't enter are not counted.
 */
export async function measureDisk(folders: readonly string[], signal: AbortSignal): Promise<number> {
  const child = spawn("du", ["-skx", "--", ...folders], {
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "pipe", "ignore"],
    signal,
  })
  const failed = once(child, "error").then(() => "")
  const output = await Promise.race([text(child.stdout), failed])
  const sizes = output.split("\n").map((line) => Number(/^(\d+)\s/.exec(line)?.[1] ?? 0))
  return sizes.reduce((sum, size) => sum + size, 0) * 1024
}
