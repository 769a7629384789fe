import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** The process that leads the group of a harness, so that another process of ours can end the group. */
export interface ProcessRecord {
  readonly pid: number
  /** In ticks since the machine started, where the system tells it: a number of a process is given again, with another time. */
  readonly started_at: string | null
  /** The value of `RUN_VARIABLE` in the environment of all that the harness started. */
  readonly run: string
}

/** Names the attempt to every process of a harness. */
export const RUN_VARIABLE = "ASSAY_HARNESS_RUN"

const FILE = "process.json"

/** Keeps who leads the harness whose attempt has `folder`. */
export async function writeProcessRecord(folder: string, pid: number, run: string): Promise<void> {
  const record: ProcessRecord = { pid, started_at: await startTimeOf(pid), run }
  const file = join(folder, FILE)
  await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Undefined where there is none, or none that can be read. */
export async function readProcessRecord(folder: string): Promise<ProcessRecord | undefined> {
  try {
    const record: Partial<ProcessRecord> = JSON.parse(await readFile(join(folder, FILE), "utf8"))
    const { pid = 0, started_at = null, run = "" } = record
    return Number.isSafeInteger(pid) && pid > 1 && run !== "" ? { pid, started_at, run } : undefined
  } catch {
    return undefined
  }
}

/** When a process started, as the system tells it; null where there is no such process, or no `/proc`. */
export async function startTimeOf(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8")
    // The name of the program stands in brackets and may hold anything. Field 22 is the twentieth after it.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null
  } catch {
    return null
  }
}
