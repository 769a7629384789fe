import { resolve } from "node:path"
import { cutRuns, resultsFolder, type OpenedEvaluationFile } from "@assay/jobs"
import type { ShardPlan } from "./engine-types.ts"
import { isLocalPath, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { bucketOfJob, folderOfJob } from "../run-jobs.ts"
import { jobToCut, type CutFileOptions } from "../shards/cut-file.ts"
import { openRun, runPorts, type RunStore } from "../shards/open-run.ts"
import { isBucket } from "./open-engines.ts"

export interface PlaceOptions extends CutFileOptions {
  readonly out?: string
  readonly dataDir: string
  readonly fresh?: boolean
  readonly force?: boolean
}

/** Where a job runs. `plan`: it was cut before, and continues. */
export interface PlacedRun {
  readonly store: RunStore
  readonly plan: ShardPlan | undefined
}

/**
 * Returns the location of the run of a job: that of --out or of the file, an unfinished run of the same job in the data folder, or a new folder there.
 * @throws `output_exists` if the location has the run or the results of another job
 */
export async function placeRun(
  context: Context,
  file: OpenedEvaluationFile,
  options: PlaceOptions,
): Promise<PlacedRun> {
  const { job, name, gates } = jobToCut(context, file, options)
  const ports = runPorts(context)
  const same = { job, gates, folder: file.folder, signal: context.signal }
  const location = locationOf(context, file, options.out)
  if (location === undefined) {
    const dataFolder = resolve(context.cwd, options.dataDir)
    const found = options.fresh === true ? undefined : await cutRuns.find(ports, dataFolder, same)
    if (found !== undefined) return { store: found, plan: await cutRuns.plan(found) }
    const folder = await cutRuns.createFolder({ dataFolder, name, ports })
    return { store: await openRun(context, folder), plan: undefined }
  }
  const store = await openRun(context, location)
  const plan = await cutRuns.findPlan(store)
  if (plan === undefined) {
    const overwrite = options.force === true
    if (store.folder !== undefined) await resultsFolder.check(store.folder, { overwrite })
    return { store, plan }
  }
  if (options.fresh !== true && (await cutRuns.isSame(ports, plan, same))) return { store, plan }
  const why =
    options.fresh === true ? "has a run already" : "has the run of another job, or its rows have changed since"
  const message = `'${printable(store.location)}' ${why}: choose another location, or delete it first.`
  throw new AssayError("output_exists", message)
}

function locationOf(context: Context, file: OpenedEvaluationFile, out: string | undefined): string | undefined {
  const { output } = file.content
  if (out !== undefined) return isBucket(out) ? bucketOfJob(out, file) : folderOfJob(resolve(context.cwd, out), file)
  if (output === undefined) return undefined
  if (isBucket(output)) return bucketOfJob(output, file)
  if (isLocalPath(output)) return folderOfJob(resolve(file.folder, output), file)
  const message = `${file.name} sends its results to '${printable(output)}', which is on a server: give --out, a folder or s3://bucket/prefix.`
  throw new AssayError("bad_usage", message)
}
