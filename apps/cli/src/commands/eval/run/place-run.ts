import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import process from "node:process"
import { AssayError } from "@assay/schemas/errors"
import { localFailure } from "../../../transfer/local-failure.ts"
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

/** The folder of an interrupted run of the same thing, or a new one. Makes nothing. @throws `path_conflict` where another process writes */
export async function findRunPlace(options: RunPlaceOptions): Promise<RunPlace> {
  const { out, dataFolder, name, digest, now, fresh } = options
  if (out !== undefined) {
    const before = await readRunRecord(out)
    if (before === undefined) return { folder: out }
    if (isRunning(before)) {
      throw new AssayError("path_conflict", `Another process writes its results to '${out}': give another --out.`)
    }
    return !fresh && goesOn(before, digest) ? { folder: out, before } : { folder: out }
  }
  const known = fresh ? [] : await entriesOf(dataFolder)
  for (const entry of known.toReversed()) {
    const folder = join(dataFolder, entry)
    const before = await readRunRecord(folder)
    if (before !== undefined && goesOn(before, digest) && !isRunning(before)) return { folder, before }
  }
  return { folder: await newFolder(dataFolder, `${name}-${stampOf(now)}`) }
}

/** Makes the folder, and empties it of what another run left there. */
export async function prepareRunPlace({ folder, before }: RunPlace, dataFolder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    // Prompts and answers don't belong into a repository unless somebody means to put them there.
    if (dirname(folder) === dataFolder) await writeFile(join(dataFolder, ".gitignore"), "*\n")
    if (before === undefined) for (const left of LEFT) await rm(join(folder, left), { force: true, recursive: true })
  } catch (error) {
    throw localFailure(error, "write", folder)
  }
}

export const JOURNAL = "journal.jsonl"
const LEFT = [JOURNAL, "log.jsonl", "config", "results", "work"]

function goesOn({ status, digest: before }: RunRecord, digest: string): boolean {
  return status === "RUNNING" && before === digest
}

function isRunning({ status, pid }: RunRecord): boolean {
  return status === "RUNNING" && pid !== process.pid && isProcessAlive(pid)
}

async function newFolder(dataFolder: string, name: string): Promise<string> {
  const taken = new Set(await entriesOf(dataFolder))
  let own = name
  for (let number = 2; taken.has(own); number += 1) own = `${name}-${number}`
  return join(dataFolder, own)
}

/** In the order of their names, which is that of their times. */
async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []
    throw localFailure(error, "read", folder)
  }
}

/** `20261120-174012`, UTC. */
function stampOf(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")
}
