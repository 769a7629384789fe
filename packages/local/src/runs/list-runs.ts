import { readdir, stat } from "node:fs/promises"
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { worstVerdict } from "@assay/metrics"
import { type JobStatus, type JobVerdict, readGateStates } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import type { LocalPorts } from "../local-environment.ts"
import { openFolderRows } from "./folder-rows.ts"
import { readStoredJob, type StoredJob } from "./results-folder.ts"
import { readFileRun, readRunRecord, type RunRecord } from "./run-record.ts"

/** A run of this machine, or results that were downloaded. */
interface FoundRun {
  /** Absolute path of its folder. */
  readonly folder: string
  readonly id: string
  /** The name of the configuration, or that of the file without its ending; null if there is none. */
  readonly name: string | null
  /** `INTERRUPTED`: it was running, and its process has ended. */
  readonly status: JobStatus | "INTERRUPTED"
  /** Percentage of the rows that were done; null if it is not known. */
  readonly progress: number | null
  /** Milliseconds since 1970, UTC. */
  readonly created_at: number
  /** Null: it has not completed, or nothing decides. */
  readonly verdict: JobVerdict | null
}

/** Entries of one folder that are looked at. */
const MAX_ENTRIES = 10_000

/**
 * Finds the runs in folders and directly below them, the newest first. Folders that do not exist, and those that no evaluation wrote, are left out.
 * @param folders absolute paths
 */
async function listRuns(
  folders: readonly string[],
  ports: Pick<LocalPorts, "pid" | "isProcessAlive">,
): Promise<readonly FoundRun[]> {
  const found = new Map<string, FoundRun>()
  for (const parent of folders) {
    for (const folder of [parent, ...(await foldersIn(parent))]) {
      if (found.has(folder)) continue
      const run = await readRun(folder, ports)
      if (run !== undefined) found.set(folder, run)
    }
  }
  return [...found.values()].toSorted((a, b) => b.created_at - a.created_at || (a.folder < b.folder ? -1 : 1))
}

async function foldersIn(parent: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(parent, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
      .slice(0, MAX_ENTRIES)
      .map(({ name }) => join(parent, name))
  } catch {
    // A folder that does not exist, or that this user may not read, has no runs to show.
    return []
  }
}

async function readRun(
  folder: string,
  ports: Pick<LocalPorts, "pid" | "isProcessAlive">,
): Promise<FoundRun | undefined> {
  try {
    const record = await readRunRecord(folder)
    // `pins.json` distinguishes results from a folder of a project that has a config/job.json.
    if (record === undefined && !existsSync(join(folder, "config", "pins.json"))) return undefined
    const job = existsSync(join(folder, "config", "job.json")) ? await readStoredJob(folder, folder) : undefined
    if (record === undefined) return job === undefined ? undefined : await downloadedRun(folder, job)
    const { id, file, created_at, progress = null } = record
    const name = job?.config.name ?? (file === null ? null : basename(file).replace(/\.\w+$/, ""))
    return { folder, id, name, status: statusOf(record, ports), progress, created_at, verdict: verdictOf(job) }
  } catch (error) {
    // One damaged folder must not hide the others.
    if (isAssayError(error)) return undefined
    throw error
  }
}

async function downloadedRun(folder: string, job: StoredJob): Promise<FoundRun> {
  const { id, config, status } = job
  const { mtimeMs } = await stat(join(folder, "config", "job.json"))
  const name = config.name ?? null
  return { folder, id, name, status, progress: null, created_at: mtimeMs, verdict: verdictOf(job) }
}

/** Returns the verdict that is recorded with the results. Those of an older version have only gates. */
function verdictOf(job: StoredJob | undefined): JobVerdict | null {
  const { verdict, gates } = job ?? {}
  return verdict === undefined ? worstVerdict(readGateStates(gates).map((gate) => gate.verdict)) : verdict
}

function statusOf(
  { status, pid }: RunRecord,
  { pid: own, isProcessAlive }: Pick<LocalPorts, "pid" | "isProcessAlive">,
): FoundRun["status"] {
  return status === "RUNNING" && (pid === own || !isProcessAlive(pid)) ? "INTERRUPTED" : status
}

/** The runs of this machine, by their records, and the rows of their results. */
export const runRecord = Object.freeze({
  read: readRunRecord,
  ofFile: readFileRun,
  list: listRuns,
  openRows: openFolderRows,
})
