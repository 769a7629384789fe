import { join, resolve } from "node:path"
import { printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { localFailure, openRegularFile, parseFilePath } from "@assay/storage"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { writeTextBytes } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { findCutRun } from "./engines/open-engines.ts"
import { printFailures, printShardLog } from "./engines/show-run.ts"
import type { RunStore } from "./shards/open-run.ts"

export interface LogOptions extends JsonOption {
  readonly tail?: number
  readonly follow?: boolean
  /** The shard of a run that was cut. */
  readonly shard?: number
}

/** Runs `assay eval logs <job>`: the log of a job, of a folder with results, or of a shard. Control characters are shown as `⟨U+202E⟩`. */
export async function printLog(
  context: Context,
  jobOrFolder: string,
  { tail, follow, shard }: LogOptions,
): Promise<void> {
  const { cwd, signal, stdout } = context
  const run = await findCutRun(context, jobOrFolder)
  if (run !== undefined && shard !== undefined) return printShardLog(context, run, shard)
  if (shard !== undefined) throw notCut(jobOrFolder)
  if (run !== undefined && !(await printStored(context, run))) return printFailures(context, run)
  if (run !== undefined) return undefined
  if (isLocal(context, jobOrFolder))
    return printFile(context, join(resolve(cwd, jobOrFolder), "results", "evaluation.log"))
  const asked = {
    ...(tail === undefined ? {} : { tail }),
    ...(follow === undefined ? {} : { follow }),
    signal,
  }
  await writeTextBytes(stdout, openClient(context).evaluation.jobs.logs(jobOrFolder, asked))
}

const LOG = parseFilePath("results/evaluation.log")

/** Prints the log of a run that is merged. Returns false if it is not. */
async function printStored({ stdout }: Context, { storage }: RunStore): Promise<boolean> {
  try {
    const { bytes } = await storage.read(LOG)
    await writeTextBytes(stdout, bytes)
    return true
  } catch (error) {
    if (isAssayError(error, "not_found")) return false
    throw error
  }
}

function notCut(name: string): AssayError {
  const message = `'${printable(name)}' is not a run that is cut into shards: leave out --shard.`
  return new AssayError("bad_usage", message)
}

async function printFile({ stdout }: Context, file: string): Promise<void> {
  try {
    await using handle = await openRegularFile(file)
    await writeTextBytes(stdout, handle.createReadStream({ autoClose: false }))
  } catch (error) {
    throw localFailure(error, "read", file)
  }
}
