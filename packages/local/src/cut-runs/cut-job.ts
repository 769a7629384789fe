import { AssayError, maskKeys, type PriceTable } from "@assay/schemas"
import { type JobEnvironment, planJob } from "@assay/evaluation"
import type { ScoreGate } from "@assay/results"
import type { LaunchSubject } from "@assay/attempts"
import { copyBaselines } from "./copy-baselines.ts"
import { copyLabels, type InputCopies, recordInputs } from "./copy-inputs.ts"
import { cutRows } from "./cut-rows.ts"
import { findPlan, hasPlan, type ShardPlan, writePlan, type RunStore } from "@assay/executors"

export interface CutJobOptions {
  /** Id of the job. Default: a new one. */
  readonly id?: string | undefined
  readonly job: LaunchSubject
  readonly name: string
  /** Absolute path of the folder that local paths are relative to. */
  readonly folder: string
  /** Number of shards. There are fewer if there are fewer rows. */
  readonly shards: number
  /** Maximum number of shards that run at the same time. Default: all of them. */
  readonly atOnce?: number | undefined
  readonly gates: readonly ScoreGate[]
  readonly prices?: PriceTable | undefined
  readonly environment: JobEnvironment
  /** Where the shards record answers. Absent: they do not. */
  readonly recording?: ShardPlan["recording"]
  /** Whether only files of this machine are copied into the run, or those of filesets, too. Default `local`. */
  readonly copies?: InputCopies | undefined
  readonly signal: AbortSignal
}

/**
 * Cuts a job into shards: pins its data, copies files of this machine into the run, and writes the plan last, so that a run with a plan is
 * whole. Asks no model.
 * @throws `output_exists` if the location has a plan; `bad_document` for a key inside the job, which the plan would contain; `invalid_request` for
 * a benchmark, and for rows that depend on each other; the errors of `planJob`
 */
export async function cutJob(store: RunStore, options: CutJobOptions): Promise<ShardPlan> {
  const { job, name, folder, environment, gates, prices, signal } = options
  const id = options.id ?? environment.newId("eval")
  checkKeys(job)
  checkRows(job)
  if ((await findPlan(store)) !== undefined) throw hasPlan(store)
  const recorder = recordInputs(environment, options.copies)
  const { cut, pins } = await cutPlanned(job, recorder.environment, options)
  const copied = await recorder.copyTo(store)
  const { config, namespace, target } = job
  const labels = await copyLabels(store, environment, { config, first: copied.datasets.length, signal })
  const first = copied.datasets.length + Object.keys(labels).length
  const baselines = await copyBaselines(store, recorder.baselines, { first, signal })
  return writePlan(store, {
    id,
    name,
    created_at: environment.now(),
    job: { namespace, target, config },
    folder,
    shards: cut.shards,
    at_once: cut.atOnce,
    ...copied,
    labels,
    ...(recorder.baselines.size === 0 ? {} : { baselines }),
    pins,
    gates,
    ...(prices === undefined ? {} : { prices }),
    ...(options.recording === undefined ? {} : { recording: options.recording }),
  })
}

async function cutPlanned(
  job: LaunchSubject,
  environment: JobEnvironment,
  { shards, atOnce, signal }: Pick<CutJobOptions, "shards" | "atOnce" | "signal">,
) {
  const plan = await planJob(job, environment, { signal, keepsOrder: true })
  try {
    // Faults of the results with which gates compare are found before anything is asked.
    for (const { early } of plan.tasks) await early?.getReferences(signal)
    return { cut: await cutRows(plan, { shards, atOnce }, signal), pins: [...plan.pins] }
  } finally {
    await plan.close()
  }
}

/** @throws `invalid_request` for a benchmark, whose rows only its harness knows */
function checkRows({ config: { type } }: LaunchSubject): void {
  if (type !== "benchmark") return
  const message =
    "config.type: a job of type 'benchmark' can't be cut into shards, because its harness reads the rows itself."
  const remedy =
    "Run it in one process: leave out --executor, --profile and --shards, and 'executor' of the evaluation file."
  throw new AssayError("invalid_request", message, { context: { remedy } })
}

/** Refuses a job that contains a key. The plan is a file that several machines read. @throws `bad_document` */
function checkKeys({ target, config }: LaunchSubject): void {
  const body = { target, config }
  if (maskKeys(body) === body) return
  const message =
    "The job contains a key, and the plan of a run is a file that other machines read: put the key into a variable, and name it in `api_key_env` (`key` in the short form)."
  throw new AssayError("bad_document", message)
}
