import { join, resolve } from "node:path"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { localFailure, openRegularFile } from "@assay/storage"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { lastLines } from "../../output/last-lines.ts"
import { writeTextBytes } from "../../output/write-text.ts"
import { findCutRun } from "./engines/open-engines.ts"
import { printRunLog, type LogOptions } from "./engines/print-run-log.ts"

/** Runs `assay eval logs <job>`: the log of a job, of a folder with results, or of a shard. Control characters are shown as `⟨U+202E⟩`. */
export async function printLog(context: Context, jobOrFolder: string, options: LogOptions): Promise<void> {
  const { cwd, signal, stdout } = context
  const { tail, follow, shard } = options
  const run = await findCutRun(context, jobOrFolder)
  if (run !== undefined) return printRunLog(context, run, options)
  if (shard !== undefined && isLocal(context, jobOrFolder)) throw notCut(jobOrFolder)
  if (shard !== undefined) {
    return writeTextBytes(stdout, openClient(context).evaluation.jobs.shardLog(jobOrFolder, shard, { signal }))
  }
  if (isLocal(context, jobOrFolder))
    return printFile(context, join(resolve(cwd, jobOrFolder), "results", "evaluation.log"), tail)
  const asked = {
    ...(tail === undefined ? {} : { tail }),
    ...(follow === undefined ? {} : { follow }),
    signal,
  }
  await writeTextBytes(stdout, openClient(context).evaluation.jobs.logs(jobOrFolder, asked))
}

function notCut(name: string): AssayError {
  const message = `'${printable(name)}' is not a run that is cut into shards: leave out --shard.`
  return new AssayError("bad_usage", message)
}

async function printFile({ stdout }: Context, file: string, tail: LogOptions["tail"]): Promise<void> {
  try {
    await using handle = await openRegularFile(file)
    await writeTextBytes(stdout, lastLines(handle.createReadStream({ autoClose: false }), tail))
  } catch (error) {
    throw localFailure(error, "read", file)
  }
}
