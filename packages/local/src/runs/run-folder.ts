import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { createFolder, localFailure, systemCode } from "@assay/storage"
import type { LocalPorts } from "../local-environment.ts"
import { checkResultsFolder, otherResults } from "./results-folder.ts"
import { readRunRecord, type RunRecord } from "./run-record.ts"

/** The folder that holds the journal and the results of a run. */
export interface RunFolder {
  /** Absolute path. */
  readonly folder: string
  /** The record of the interrupted run that is resumed. */
  readonly before?: RunRecord
}

export interface RunFolderOptions {
  /** Absolute path that the user chose. Undefined: a folder of its own below `dataFolder`. */
  readonly out: string | undefined
  /** Absolute path. */
  readonly dataFolder: string
  /** First part of the name of a new folder. */
  readonly name: string
  readonly digest: string
  /** Do not resume an interrupted run. */
  readonly fresh: boolean
  /** Replace the results of another job in `out`. Default false. */
  readonly overwrite?: boolean | undefined
  readonly ports: Pick<LocalPorts, "now" | "pid" | "isProcessAlive">
}

export const JOURNAL = "journal.jsonl"
/** Files and folders of a run that the next run would not always replace. */
const LEFTOVERS = [
  JOURNAL,
  "log.jsonl",
  "work",
  join("results", "results.json"),
  join("results", "metrics.csv"),
  join("results", "decisions.json"),
]

/**
 * Finds the folder of an interrupted run with the same digest, or else the folder `out`. Returns undefined if a new folder is needed.
 * Creates nothing.
 * @throws `path_conflict` if another process uses `out`, or if it contains other files; `output_exists` if it has the results or answers of
 * another job
 */
export async function findRunFolder(options: RunFolderOptions): Promise<RunFolder | undefined> {
  const { out, dataFolder, digest, fresh, overwrite = false, ports } = options
  if (out !== undefined) {
    const before = await readRunRecord(out)
    if (before !== undefined && isRunning(before, ports)) {
      const message = `Another process writes its results to '${printable(out)}': choose another folder.`
      throw new AssayError("path_conflict", message)
    }
    const isSame = before?.digest === digest
    await checkResultsFolder(out, { overwrite, isSame: () => isSame })
    if (before !== undefined && !isSame && !overwrite && (await hasAnswers(out))) throw otherResults(out, before.id)
    return before !== undefined && !fresh && canResume(before, digest) ? { folder: out, before } : { folder: out }
  }
  const known = fresh ? [] : await entriesOf(dataFolder)
  for (const entry of known.toReversed()) {
    const folder = join(dataFolder, entry)
    const before = await readRunRecord(folder)
    if (before !== undefined && canResume(before, digest) && !isRunning(before, ports)) return { folder, before }
  }
  return undefined
}

/**
 * Returns the newest run of the same job of a file, if it was interrupted and another job is run now: options, the file or its rows have changed.
 * Undefined for a run with a folder of its own, which says so itself.
 */
export async function findOtherInterrupted(
  { out, dataFolder, digest, fresh, ports }: RunFolderOptions,
  { file, cell = 0 }: { readonly file: string | null; readonly cell?: number | undefined },
): Promise<Required<RunFolder> | undefined> {
  if (out !== undefined || fresh || file === null) return undefined
  let newest: Required<RunFolder> | undefined
  for (const entry of await entriesOf(dataFolder)) {
    const folder = join(dataFolder, entry)
    const before = await readRunRecord(folder)
    const isSame = before !== undefined && before.file === file && (before.cell ?? 0) === cell
    if (isSame && before.created_at >= (newest?.before.created_at ?? 0)) newest = { folder, before }
  }
  const isOther = newest?.before.status === "RUNNING" && newest.before.digest !== digest
  return newest !== undefined && isOther && !isRunning(newest.before, ports) ? newest : undefined
}

/** Creates the folder of a run, or deletes the files that an earlier run left in it. */
export async function prepareRunFolder(given: RunFolder | undefined, options: RunFolderOptions): Promise<RunFolder> {
  const { dataFolder } = options
  try {
    if (given === undefined) return { folder: await makeFolder(options) }
    await createFolder(given.folder, { durable: false })
    if (given.before === undefined) {
      for (const leftover of LEFTOVERS) await rm(join(given.folder, leftover), { force: true, recursive: true })
    }
    return given
  } catch (error) {
    throw localFailure(error, "write", given?.folder ?? dataFolder)
  }
}

/** Creates a new folder for a run below `dataFolder`, named after the run and its time. @throws as `prepareRunFolder` does */
export async function createRunFolder(
  options: Pick<RunFolderOptions, "dataFolder" | "name" | "ports">,
): Promise<string> {
  try {
    return await makeFolder(options)
  } catch (error) {
    throw localFailure(error, "write", options.dataFolder)
  }
}

/** Creates a folder named after the run and its time in UTC: `capitals-20261120-174012`. Adds a number if the name is taken. */
async function makeFolder({
  dataFolder,
  name,
  ports,
}: Pick<RunFolderOptions, "dataFolder" | "name" | "ports">): Promise<string> {
  const stamp = new Date(ports.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")
  await createFolder(dataFolder, { durable: false })
  // Keeps prompts and answers out of repositories.
  await writeFile(join(dataFolder, ".gitignore"), "*\n")
  for (let number = 1; ; number += 1) {
    const folder = join(dataFolder, `${name}-${stamp}${number === 1 ? "" : `-${number}`}`)
    try {
      await mkdir(folder)
      return folder
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error
    }
  }
}

/** Returns whether a folder has answers of a run that has no results yet. */
async function hasAnswers(folder: string): Promise<boolean> {
  try {
    return (await stat(join(folder, JOURNAL))).size > 0
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false
    throw localFailure(error, "read", folder)
  }
}

function canResume({ status, digest: before }: RunRecord, digest: string): boolean {
  return status === "RUNNING" && before === digest
}

function isRunning({ status, pid }: RunRecord, ports: RunFolderOptions["ports"]): boolean {
  return status === "RUNNING" && pid !== ports.pid && ports.isProcessAlive(pid)
}

/** Returns the names in a folder, sorted. Empty if the folder does not exist. */
async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (systemCode(error) === "ENOENT") return []
    throw localFailure(error, "read", folder)
  }
}
