import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
// Identifies this process to later ones.
import { pid as ownPid } from "node:process"

/** A process of this machine. */
interface ProcessName {
  readonly pid: number
  /** In ticks since the machine started; null if unknown. Process numbers are reused, but with another start time. */
  readonly started_at: string | null
}

/** What a later server process needs to end an attempt. */
export interface AttemptRecord {
  /** The value of `RUN_VARIABLE` in the environment of every process of the harness. */
  readonly run: string
  /** The process that started the harness and waits for it. */
  readonly runner: ProcessName
  /** The leader of the harness's process group; null until it is started. */
  readonly leader: ProcessName | null
}

/** The environment variable that marks every process of a harness with its attempt. */
export const RUN_VARIABLE = "ASSAY_HARNESS_RUN"

const FILE = "attempt.json"

/** Writes the record of the attempt in `folder`: who runs it, and who leads its processes. */
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

/** Reads the record of an attempt; undefined if there is none that can be read. */
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

/** Returns whether the process still runs and is the same one. False if the system has no `/proc`. */
export async function isRunning({ pid, started_at }: ProcessName): Promise<boolean> {
  const status = await statusOf(pid)
  return status !== undefined && !status.isEnded && status.startedAt === started_at
}

/** Returns whether a process runs. A zombie, whose parent has not read its exit status yet, does not. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await statusOf(pid))?.isEnded === false
}

async function statusOf(pid: number): Promise<{ readonly isEnded: boolean; readonly startedAt: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // The name of the program is in brackets and can contain any character. Field 3 is the state, field 22 the start time.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const startedAt = fields[19]
  return startedAt === undefined ? undefined : { isEnded: /^[ZXx]/.test(fields[0] ?? ""), startedAt }
}
