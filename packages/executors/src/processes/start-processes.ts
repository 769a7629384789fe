import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { runCommand } from "@assay/harness"
import { createFolder } from "@assay/storage"
import { openProcessLog } from "./process-log.ts"

/** A process of this machine to run. */
export interface ProcessTask {
  /** The first part of the names of its logs, such as `00007`. */
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

export interface ProcessesOptions {
  /** Maximum number of processes at the same time. */
  readonly atOnce: number
  /** How often a process that fails, or that is killed, is started again. */
  readonly retries: number
  /** Absolute path of the folder for their output: `00007-1.log` is that of the first attempt. */
  readonly logs: string
  /** Absolute path of their working folder. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Milliseconds between SIGTERM and SIGKILL. Default: 10,000, so that a shard can store the answers that it has received. */
  readonly graceMs?: number
  /** Ends all processes: SIGTERM, and SIGKILL for those that do not end. */
  readonly signal: AbortSignal
}

export interface ProcessState {
  readonly state: "waiting" | "running" | "ended"
  /** How the last attempt ended, unless it succeeded. */
  readonly reason?: string | undefined
  /** Whether its program could not be started. It is then not started again. */
  readonly isHopeless?: boolean
}

/** Processes of this machine that end with this process, however it ends. */
export interface Processes {
  stateOf(name: string): ProcessState | undefined
  /** Ends all of them, and waits for their end. */
  stop(): Promise<void>
  /** Resolves when none runs and none will be started. */
  readonly ended: Promise<void>
}

const GRACE_MS = 10_000
/** The longest time of a timer, 24 days. */
const NO_LIMIT_MS = 2 ** 31 - 1
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000

/** Runs processes of this machine, at most some at a time, and starts those that fail again. */
export function startProcesses(tasks: readonly ProcessTask[], options: ProcessesOptions): Processes {
  const { atOnce, retries, logs, sleep, graceMs = GRACE_MS } = options
  const stopped = new AbortController()
  const signal = AbortSignal.any([options.signal, stopped.signal])
  const states = new Map<string, ProcessState>(tasks.map(({ name }) => [name, { state: "waiting" }]))

  async function runTask({ name, command }: ProcessTask, logged: number): Promise<void> {
    let failure: Omit<ProcessState, "state"> = {}
    for (let attempt = 0; attempt <= retries && !signal.aborted; attempt++) {
      if (attempt > 0) {
        states.set(name, { state: "waiting", ...failure })
        await sleep(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)), signal).catch(() => {})
      }
      states.set(name, { state: "running", ...failure })
      const log = openProcessLog(join(logs, `${name}-${logged + attempt + 1}.log`))
      const end = await runCommand({
        command,
        folder: options.cwd,
        variables: options.env,
        timeLimitMs: NO_LIMIT_MS,
        graceMs,
        signal,
        onLine: (line) => log.add(line),
      })
      failure = failureOf(end, command[0])
      if (failure.reason !== undefined) log.add(`[this process ended: ${failure.reason}]`)
      await log.end()
      if (failure.reason === undefined || failure.isHopeless === true) break
    }
    states.set(name, { state: "ended", ...failure })
  }

  async function runAll(): Promise<void> {
    await createFolder(logs, { durable: false })
    const logged = await countLogs(logs)
    const waiting = tasks[Symbol.iterator]()
    const lane = async () => {
      for (const task of waiting) {
        if (signal.aborted) return
        await runTask(task, logged.get(task.name) ?? 0)
      }
    }
    await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, lane))
  }

  // A folder that can't be written ends all of them, and the reason is that of each.
  const ended = runAll().catch((error: unknown) => {
    stopped.abort()
    const reason = error instanceof Error ? error.message : String(error)
    for (const [name, { state }] of states) if (state !== "ended") states.set(name, { state: "ended", reason })
  })
  return {
    stateOf: (name) => {
      const found = states.get(name)
      return signal.aborted && found?.state === "waiting" ? { ...found, state: "ended" } : found
    },
    async stop() {
      stopped.abort()
      await ended
    },
    ended,
  }
}

const LOG = /^(.+)-(\d{1,9})\.log$/

/** Returns the number of the last log of each name. The folder is listed once, because a run can have as many shards as files. */
async function countLogs(folder: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const file of await readdir(folder)) {
    const [, name = "", number] = LOG.exec(file) ?? []
    if (number !== undefined) counts.set(name, Math.max(counts.get(name) ?? 0, Number(number)))
  }
  return counts
}

/** Returns the files with the output of a process, that of its first attempt first: absolute paths. Empty if the folder does not exist. */
export async function listLogs(folder: string, name: string): Promise<readonly string[]> {
  const found = new Map<number, string>()
  for (const file of await readdir(folder).catch(() => [])) {
    const [, of, number] = LOG.exec(file) ?? []
    if (of === name) found.set(Number(number), join(folder, file))
  }
  return [...found].toSorted(([a], [b]) => a - b).map(([, file]) => file)
}

type CommandEnd = Awaited<ReturnType<typeof runCommand>>

/** Returns how a process failed. Empty if it succeeded. */
function failureOf(end: CommandEnd, program: string): Omit<ProcessState, "state"> {
  if (end.kind === "exited" && end.code === 0) return {}
  const reason = describeFailure(end, program)
  return end.kind === "not-started" ? { reason, isHopeless: true } : { reason }
}

function describeFailure(end: CommandEnd, program: string): string {
  if (end.kind === "exited") return `exit code ${end.code}`
  if (end.kind === "killed") return `killed by ${end.by}`
  if (end.kind === "not-started") return `'${program}' was not started: ${end.reason}`
  if (end.kind === "over-limit") return end.what
  return end.kind === "aborted" ? "stopped" : "stopped after 24 days"
}
