import { resolve } from "node:path"
import { readPrices } from "@assay/evaluation"
import {
  cutRuns,
  jobGates,
  jobOfFile,
  type JobOverrides,
  locateFaults,
  type OpenedEvaluationFile,
  overridesOf,
  runName,
} from "@assay/local"
import { isLargeRun } from "@assay/attempts"
import type { ShardPlan } from "../engines/engine-types.ts"
import { formatEstimate, type ProgressReporter } from "@assay/reports/terminal"
import { scoreGates } from "@assay/results"
import type { Context } from "../../../context.ts"
import { defaultWorkspace } from "../../../open-client.ts"
import { pricesFileOf } from "../prices-file.ts"
import { recordingOf } from "../recording/recorded-answers.ts"
import type { RecordingOptions } from "../../recording-options.ts"
import { sayWarnings } from "../run-listener.ts"
import { runPorts, type RunStore } from "./open-run.ts"

/** Options that decide what is cut. */
export interface CutFileOptions extends JobOverrides, RecordingOptions {
  readonly dataDir: string
  readonly gate?: readonly string[]
  readonly stopEarly?: boolean
  readonly prices?: string
  readonly skipChecks?: boolean
}

/** Returns the job of a file, with the name of its run and the gates that are compared at its end. */
export function jobToCut(context: Context, file: OpenedEvaluationFile, options: CutFileOptions) {
  const given = (options.gate ?? []).map(scoreGates.parse)
  const { gates, early } = jobGates.ofFile(file, { given, stopEarly: options.stopEarly === true })
  const overrides = overridesOf(early === undefined ? options : { ...options, gates: early })
  const job = jobOfFile(file, { workspace: defaultWorkspace(context), overrides })
  return { job, name: runName(job, file), gates }
}

/** Returns where the shards of a run record. Without a folder that is named, those of a run in a bucket do not. @throws `bad_usage` */
export async function recordingToCut(
  context: Context,
  job: Parameters<typeof cutRuns.planRecording>[0],
  options: CutFileOptions & { readonly isBucket: boolean },
): Promise<ReturnType<typeof cutRuns.planRecording>> {
  const { cwd, now, signal } = context
  const dataFolder = options.isBucket ? undefined : resolve(cwd, options.dataDir)
  const isFresh = options.fresh === true
  const choice = recordingOf(context, options)
  const planned = cutRuns.planRecording(job, choice, { dataFolder, isFresh, now: now() })
  await cutRuns.checkRecordingDigest({ folder: planned?.folder }, choice, signal)
  return planned
}

export interface CutSize {
  readonly shards: number
  readonly atOnce: number | undefined
  readonly reporter: ProgressReporter
  /** Whether the estimate of a small run is shown. */
  readonly showsEstimate: boolean
}

/** Checks the job of a file, and cuts it into a run. Shows warnings and the estimate. @throws `launch_refused` with the places in the file */
export async function cutFile(
  context: Context,
  store: RunStore,
  file: OpenedEvaluationFile,
  options: CutFileOptions & CutSize,
): Promise<ShardPlan> {
  const { shards, atOnce, reporter, showsEstimate } = options
  const prices = await readPrices(pricesFileOf(context, options.prices), context.cwd)
  try {
    const cut = jobToCut(context, file, options)
    const plan = await cutRuns.cut(runPorts(context, prices), store, {
      ...cut,
      recording: await recordingToCut(context, cut.job, { ...options, isBucket: store.folder === undefined }),
      folder: file.folder,
      shards,
      atOnce,
      skipChecks: options.skipChecks === true,
      onWarnings: (warnings) => sayWarnings(reporter, file, warnings),
      onEstimate: (estimate) => {
        if (showsEstimate || isLargeRun(estimate)) reporter.say(`${formatEstimate(estimate)}\n`)
      },
      signal: context.signal,
    })
    sayNotes(reporter, plan, atOnce)
    return plan
  } catch (error) {
    throw locateFaults.inRefusal(error, file.document)
  }
}

/** Says what is otherwise in shards than in one process. */
function sayNotes(
  reporter: ProgressReporter,
  { job, shards, at_once: atOnce }: ShardPlan,
  asked = shards.length,
): void {
  const { parallelism } = job.config.params ?? {}
  if (atOnce < Math.min(asked, shards.length)) {
    const least = parallelism === undefined ? "of this job" : `of this job (${parallelism})`
    reporter.say(
      `at most ${atOnce} shards run at once: they share the parallelism ${least}. Raise it with --parallel, or \`parallel\` in the file, to use more`,
    )
  }
}
