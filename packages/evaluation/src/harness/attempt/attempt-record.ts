import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
// Names this process to those that come after it.
import { pid as ownPid } from "node:process"

/** A process of this machine. */
interface ProcessName {
  readonly pid: number
  /** In ticks since the machine started, where the system tells it: the number of a process is given again, with another time. */
  readonly started_at: string | null
}

/** What another process of ours has to know of an attempt to end it. */
export interface AttemptRecord {
  /** The value of `RUN_VARIABLE` in the environment of all that the harness started. */
  readonly run: string
  /** Who started it, and waits for it. */
  readonly runner: ProcessName
  /** Leads the harness's group of processes; null until it is started. */
  readonly leader: ProcessName | null
}

/** Names the attempt to every process of a harness. */
export const RUN_VARIABLE = "ASSAY_HARNESS_RUN"

const FILE = "attempt.json"

/** Keeps who runs the attempt that has `folder`, and who leads its processes. */
export async function writeAttemptRecord(folder: string, run: string, leader: number | null): Promise<void> {
  const record: AttemptRecord = {
    run,
    runner: await nameProcess(ownPid),
    leader: leader === null ? null : await nameProcess(leader),
  }
  const file = join(folder, FILE)
  await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Undefined where there is none, or none that can be read. */
export async function readAttemptRecord(folder: string): Promise<AttemptRecord | undefined> {
  try {
    const record: AttemptRecord = JSON.parse(await readFile(join(folder, FILE), "utf8"))
    const { run, runner, leader } = record
    const isWhole = typeof run === "string" && run !== "" && isPid(runner.pid) && (leader === null || isPid(leader.pid))
    return isWhole ? record : undefined
  } catch {
    return undefined
  }
}

const isPid = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 1

async function nameProcess(pid: number): Promise<ProcessName> {
  return { pid, started_at: (await statusOf(pid))?.startedAt ?? null }
}

/** Whether a process runs, and is the one that was named. Where the system does not tell: no. */
export async function isRunning({ pid, started_at }: ProcessName): Promise<boolean> {
  const status = await statusOf(pid)
  return status !== undefined && !status.isEnded && status.startedAt === started_at
}

/** Whether a process runs; one that has ended, and whose parent has not asked yet how, does not. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await statusOf(pid))?.isEnded === false
}

async function statusOf(pid: number): Promise<{ readonly isEnded: boolean; readonly startedAt: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // The name of the program stands in brackets and may hold anything. The third field is the state, the 22nd the time.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const startedAt = fields[19]
  return startedAt === undefined ? undefined : { isEnded: /^[ZXx]/.test(fields[0] ?? ""), startedAt }
}
