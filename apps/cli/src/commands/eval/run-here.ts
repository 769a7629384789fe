import { basename, join } from "node:path"
import process from "node:process"
import { checkLaunch, launchRefused, type ScoreGate } from "@assay/evaluation"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import type { Overrides } from "../file/apply-overrides.ts"
import type { OpenedEvaluationFile } from "../file/evaluation-file.ts"
import { formatFailedChecks } from "../../../output/failed-checks.ts"
import { createProgressTeller, type ProgressTeller } from "../screen/progress-teller.ts"
import { shownPath } from "../screen/shown-path.ts"
import { createLocalEnvironment } from "./create-local-environment.ts"
import { digestRun } from "./digest-run.ts"
import { localJob, type LocalJob } from "./local-job.ts"
import { findRunPlace, prepareRunPlace } from "./place-run.ts"
import { runRound } from "./run-round.ts"

export interface RunHereOptions {
  readonly file: OpenedEvaluationFile
  readonly gates: readonly ScoreGate[]
  readonly overrides: Overrides
  /** Absolute; absent: a folder of its own below the data folder. */
  readonly out: string | undefined
  /** Absolute. */
  readonly dataFolder: string
  readonly json: boolean | undefined
  readonly junit: string | undefined
  readonly skipChecks: boolean | undefined
  /** Begins anew, whatever was interrupted. */
  readonly fresh: boolean | undefined
}

/** Runs a file in this process: goes on with an interrupted run of the same thing, or checks the launch and begins. */
export async function runHere(context: Context, options: RunHereOptions): Promise<ExitCode> {
  const { file, gates, overrides, out, dataFolder, json, junit, fresh = false } = options
  context.keepHeapSmall()
  const job = localJob(context, file, overrides)
  const teller = createProgressTeller(context, { json: json === true })
  const common = { namespace: job.namespace, folder: file.folder, dataFolder, digests: new Map<string, string>() }
  const environment = (workFolder: string) => createLocalEnvironment(context, { ...common, workFolder })
  const digest = await digestRun(job, environment(dataFolder), context.signal)
  const name = nameOf(job, file)
  const placing = { out, dataFolder, name, digest, now: context.now(), fresh }
  const found = await findRunPlace(placing)
  if (found?.before === undefined && options.skipChecks !== true)
    await check(context, job, environment(dataFolder), teller)
  const place = await prepareRunPlace(found, placing)
  if (place.before !== undefined) {
    teller.say(`goes on with ${shownPath(context, place.folder)}, which was interrupted; --fresh begins anew`)
  }
  const workFolder = join(place.folder, "work")
  const record = place.before ?? {
    id: environment(workFolder).newId("eval"),
    digest,
    attempt: 1,
    file: file.path ?? null,
    overrides: { ...overrides },
    created_at: context.now(),
  }
  return runRound(context, {
    name,
    folder: place.folder,
    job,
    record: { ...record, status: "RUNNING", pid: process.pid },
    scope: { kind: "run" },
    environment: environment(workFolder),
    gates,
    junit,
    json,
    teller,
  })
}

/** @throws `launch_refused` with every check that failed */
async function check(
  { signal }: Context,
  { namespace, target, config }: LocalJob,
  environment: Parameters<typeof checkLaunch>[1],
  teller: ProgressTeller,
): Promise<void> {
  const { failed, warnings } = await checkLaunch({ namespace, target, config }, environment, { signal })
  signal.throwIfAborted()
  if (failed.length > 0) throw launchRefused(failed)
  if (warnings.length > 0) teller.say(`warnings of the launch checks:\n\n${formatFailedChecks(warnings)}\n`)
}

/** What the run is called: after its configuration, else after its file. */
function nameOf({ config }: LocalJob, { path }: OpenedEvaluationFile): string {
  const name = config.name ?? (path === undefined ? "evaluation" : basename(path).replace(/\.\w+$/, ""))
  return name.replaceAll(/[^\w.@+-]+/g, "-").replace(/^\.+/, "") || "evaluation"
}
