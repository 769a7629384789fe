import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "../../../output/printable.ts"
import { localFailure, systemCode } from "@assay/storage/paths"
import { checkOutFolder } from "./check-out-folder.ts"
import { isProcessAlive } from "./is-process-alive.ts"
import { readRunRecord, type RunRecord } from "./run-record.ts"

/** Where a run has its journal and its results. */
export interface RunPlace {
  /** Absolute. */
  readonly folder: string
  /** Of an earlier run that goes on here. */
  readonly before?: RunRecord
}

export interface RunPlaceOptions {
  /** `--out`, absolute; undefined: a folder of its own below `dataFolder`. */
  readonly out: string | undefined
  readonly dataFolder: string
  /** What a new folder's name begins with. */
  readonly name: string
  readonly digest: string
  readonly now: number
  /** Begins anew, whatever was interrupted. */
  readonly fresh: boolean
}

export const JOURNAL = "journal.jsonl"
/** What a run leaves that a later one does not replace in any case. */
const LEFT = [JOURNAL, "log.jsonl", "work", join("results", "results.json"), join("results", "metrics.csv")]

/**
 * The folder of an interrupted run of the same thing; else the one that is named, or undefined for a new one. Makes nothing.
 * @throws `path_conflict` where another process, or somebody else, has files there
 */
export async function findRunPlace(options: RunPlaceOptions): Promise<RunPlace | undefined> {
  const { out, dataFolder, digest, fresh } = options
  if (out !== undefined) {
    await checkOutFolder(out)
    const before = await readRunRecord(out)
    if (before !== undefined && isRunning(before)) {
      const message = `Another process writes its results to '${printable(out)}': give another --out.`
      throw new AssayError("path_conflict", message)
    }
    return before !== undefined && !fresh && goesOn(before, digest) ? { folder: out, before } : { folder: out }
  }
  const known = fresh ? [] : await entriesOf(dataFolder)
  for (const entry of known.toReversed()) {
    const folder = join(dataFolder, entry)
    const before = await readRunRecord(folder)
    if (before !== undefined && goesOn(before, digest) && !isRunning(before)) return { folder, before }
  }
  return undefined
}

/** Makes the folder of a run, or empties the one that is named of what another run left there. */
export async function prepareRunPlace(place: RunPlace | undefined, options: RunPlaceOptions): Promise<RunPlace> {
  const { dataFolder } = options
  try {
    if (place === undefined) return { folder: await makeFolder(options) }
    await mkdir(place.folder, { recursive: true })
    if (place.before === undefined) {
      for (const left of LEFT) await rm(join(place.folder, left), { force: true, recursive: true })
    }
    return place
  } catch (error) {
    throw localFailure(error, "write", place?.folder ?? dataFolder)
  }
}

/** Named after the run and its time, UTC: `capitals-20261120-174012`. Two runs of one second get two folders. */
async function makeFolder({ dataFolder, name, now }: RunPlaceOptions): Promise<string> {
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")
  await mkdir(dataFolder, { recursive: true })
  // Prompts and answers don't belong into a repository unless somebody means to put them there.
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

function goesOn({ status, digest: before }: RunRecord, digest: string): boolean {
  return status === "RUNNING" && before === digest
}

function isRunning({ status, pid }: RunRecord): boolean {
  return status === "RUNNING" && pid !== process.pid && isProcessAlive(pid)
}

/** In the order of their names. */
async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (systemCode(error) === "ENOENT") return []
    throw localFailure(error, "read", folder)
  }
}
