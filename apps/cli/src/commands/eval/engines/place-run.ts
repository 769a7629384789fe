import { resolve } from "node:path"
import { cutRuns, resultsFolder, type OpenedEvaluationFile } from "@assay/local"
import type { ShardPlan } from "./engine-types.ts"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { locationOfJob } from "../run-jobs.ts"
import { isBucket } from "../run-end.ts"
import { type CutFileOptions, jobToCut, recordingToCut } from "../shards/cut-file.ts"
import { openRun, runPorts, type RunStore } from "../shards/open-run.ts"

export interface PlaceOptions extends CutFileOptions {
  readonly out?: string
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
  const location = locationOfRun(context, file, options.out)
  const recording = await recordingToCut(context, job, {
    ...options,
    isBucket: location !== undefined && isBucket(location),
  })
  const same = { job, gates, recording, folder: file.folder, signal: context.signal }
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

/** Returns where --out or the file puts the run of a job: a bucket, or the absolute path of a folder. @throws `bad_usage` for a location on a server */
export function locationOfRun(context: Context, file: OpenedEvaluationFile, out?: string): string | undefined {
  const { name, content } = file
  const location = locationOfJob(context, file, out)
  if (location !== undefined || content.output === undefined) return location
  const message = `${name} sends its results to '${printable(content.output)}', which is on a server: give --out, a folder or s3://bucket/prefix.`
  throw new AssayError("bad_usage", message)
}
