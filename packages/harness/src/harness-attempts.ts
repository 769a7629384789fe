import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, readdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
// Its own number identifies this process to later ones. No other state of this process is read.
import { kill, pid as ownPid } from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { createFolder } from "@assay/storage"

const FOLDER = "harness"
/** The prefix of a folder's name until the folder has its record. */
const NEW = "."

/**
 * Creates the folder of a new attempt below the work folder of a job. First ends the processes of earlier attempts and removes their
 * folders, so that an attempt never sees files of another one.
 */
export async function openAttempt(workFolder: string, run: string): Promise<string> {
  await endAttempts(workFolder, async () => true)
  const folder = join(workFolder, FOLDER, run)
  const unnamed = join(workFolder, FOLDER, NEW + run)
  await createFolder(unnamed, { mode: 0o700, durable: false })
  await writeAttemptRecord(unnamed, run, null)
  await rename(unnamed, folder)
  return folder
}

/** Ends the harnesses of a job whose runner is gone. */
export async function endLeftHarnesses(workFolder: string): Promise<void> {
  await endAttempts(workFolder, async (folder) => {
    const record = await readAttemptRecord(folder)
    return record !== undefined && !(await isRunning(record.runner))
  })
}

/** Removes the work folder of a job, and ends the harnesses that still run there. */
export async function removeJobFolder(workFolder: string): Promise<void> {
  await endAttempts(workFolder, async () => true)
  await removeTree(workFolder)
}

async function endAttempts(workFolder: string, isLeft: (folder: string) => Promise<boolean>): Promise<void> {
  const names = await readdir(join(workFolder, FOLDER)).catch(() => [])
  for (const name of names) {
    const folder = join(workFolder, FOLDER, name)
    if (!(await isLeft(folder))) continue
    const record = await readAttemptRecord(folder)
    if (record !== undefined) await endLeftHarness(record)
    await removeTree(folder)
  }
}

/** Gives rights to closed folders first. `rm` also handles paths that are longer than the system accepts in one call. */
const SCRIPT = 'chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"'

/** Removes a folder that a user's command has written to, with any content. Links are removed, not followed. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    const child = spawn("/bin/sh", ["-c", SCRIPT, "remove", path], { env: {}, stdio: "ignore" })
    await Promise.race([once(child, "close"), once(child, "error")])
  }
}

/** A process of this machine. */
interface ProcessName {
  readonly pid: number
  /** In ticks since the machine started; null if unknown. Process numbers are reused, but with another start time. */
  readonly started_at: string | null
}

/** The data that a later server process needs to end an attempt. */
interface AttemptRecord {
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
async function readAttemptRecord(folder: string): Promise<AttemptRecord | undefined> {
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
async function isRunning({ pid, started_at }: ProcessName): Promise<boolean> {
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

/** How long to wait until killed processes are gone. */
const GONE_MS = 10_000
const LOOK_MS = 20

/**
 * Ends a harness whose runner is gone: the group of its leader, and every process that has the attempt's id in its environment,
 * of any group. Returns when none of them is left, or after 10 seconds.
 */
export async function endLeftHarness({ run, leader }: Pick<AttemptRecord, "run" | "leader">): Promise<void> {
  const marker = `${RUN_VARIABLE}=${run}`
  for (let waited = 0; waited < GONE_MS; waited += LOOK_MS) {
    const isLeading = leader !== null && (await isRunning(leader))
    if (isLeading) end(-leader.pid)
    const marked = await processesWith(marker)
    for (const one of marked) end(one)
    if (!isLeading && marked.length === 0) return
    await pause(LOOK_MS)
  }
}

function end(target: number): void {
  try {
    kill(target, "SIGKILL")
  } catch {
    // It has already ended.
  }
}

/** Finds the processes that were started with `variable` in their environment. Processes of other users are not visible. */
async function processesWith(variable: string): Promise<number[]> {
  const names = await readdir("/proc").catch(() => [])
  const found: number[] = []
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "")
    if (text.split("\0").includes(variable) && (await isAlive(Number(name)))) found.push(Number(name))
  }
  return found
}
