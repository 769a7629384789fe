import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import {
  type DatasetMetadata,
  type DatasetPin,
  EvaluationConfigBody,
  EvaluationTargetBody,
  type GuardrailData,
  type PriceTable,
  AssayError,
  printable,
} from "@assay/schemas"
import { isObject } from "@assay/json"
import type { ScoreGate } from "@assay/results"
import { laneTasks, TaskRange } from "./task-range.ts"
import { readJson, type RunStore, runFiles, writeJson } from "./run-store.ts"

/** The forms of the plan. A program that does not know the form of a run refuses it. The second one has rows in the random order of gates. */
const ROWS_VERSION = 1 as const
const LANES_VERSION = 2 as const

/** A copy, as its storage described it when it was written. */
export interface CopiedFile {
  readonly path: string
  readonly size: number
  readonly etag: string | null
}

/** Row files that were copied into a run. */
export interface CopiedDataset {
  /** The path or the fileset, as the job names it. */
  readonly written: string
  /** The number of its folder below `data/`. */
  readonly number: number
  /** The copies, in the order of their rows. */
  readonly files: readonly CopiedFile[]
  readonly metadata?: DatasetMetadata | undefined
  readonly pin: DatasetPin
}

/** The recording of a run, as a record of the run keeps it. */
export interface PlannedRecording {
  /** Absolute path. */
  readonly folder: string
  /** Whether the user named the folder. Otherwise a machine without it records nothing. */
  readonly is_chosen: boolean
  readonly is_replay_only: boolean
  /** Milliseconds since 1970: answers that were recorded before are asked for again. Null: none are. */
  readonly fresh_since: number | null
  /** As the user wrote it. Absent: nobody named it. */
  readonly name?: string
}

/** Everything that the processes of a run have to know. The record `plan.json` of the run. */
export interface ShardPlan {
  readonly version: typeof ROWS_VERSION | typeof LANES_VERSION
  /** Id of the job. */
  readonly id: string
  readonly name: string
  /** Milliseconds since 1970, UTC. */
  readonly created_at: number
  readonly job: {
    readonly namespace: string
    readonly target: EvaluationTargetBody
    readonly config: EvaluationConfigBody
  }
  /** Absolute path of the folder that other local paths of the job are relative to, such as those of baselines. */
  readonly folder: string
  /** The shards by their index. The rows of a shard follow those of the shard before, unless gates can end its task. */
  readonly shards: readonly (readonly TaskRange[])[]
  /** Maximum number of shards that run at the same time. The parallelism of the job is divided by it. */
  readonly at_once: number
  readonly datasets: readonly CopiedDataset[]
  /** The numbers of the folders with copied labels, by the name that metrics give them. */
  readonly labels: Readonly<Record<string, number>>
  /** The numbers of the folders with copied results, by the name that gates give them. Absent: there are none. */
  readonly baselines?: Readonly<Record<string, number>> | undefined
  /** Guardrail configurations by their names. */
  readonly guardrails: Readonly<Record<string, GuardrailData>>
  /** The pins of all datasets, in the order in which the job opens them. */
  readonly pins: readonly DatasetPin[]
  /** The gates of the command line. */
  readonly gates: readonly ScoreGate[]
  readonly prices?: PriceTable | undefined
  /** Where answers are recorded. Absent: they are not. */
  readonly recording?: PlannedRecording | undefined
}

const PlanFrame = Type.Object({
  version: Type.Integer(),
  id: Type.String(),
  name: Type.String(),
  created_at: Type.Number(),
  job: Type.Object({
    namespace: Type.String(),
    target: Type.Object({}),
    config: Type.Object({ type: Type.String() }),
  }),
  folder: Type.String(),
  shards: Type.Array(Type.Array(TaskRange), { minItems: 1 }),
  at_once: Type.Integer({ minimum: 1 }),
  datasets: Type.Array(
    Type.Object({
      written: Type.String(),
      number: Type.Integer({ minimum: 0 }),
      files: Type.Array(Type.Object({ path: Type.String(), size: Type.Number({ minimum: 0 }) })),
    }),
  ),
  labels: Type.Object({}),
  baselines: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 0 }))),
  guardrails: Type.Object({}),
  pins: Type.Array(Type.Object({})),
  gates: Type.Array(Type.Object({})),
  recording: Type.Optional(
    Type.Object({
      folder: Type.String({ minLength: 1 }),
      is_chosen: Type.Boolean(),
      is_replay_only: Type.Boolean(),
      fresh_since: Type.Union([Type.Number(), Type.Null()]),
      name: Type.Optional(Type.String()),
    }),
  ),
})

/** Writes the plan of a new run, and returns it. @throws `output_exists` if the location has one */
export async function writePlan(store: RunStore, written: Omit<ShardPlan, "version">): Promise<ShardPlan> {
  const plan = { version: laneTasks(written).size > 0 ? LANES_VERSION : ROWS_VERSION, ...written }
  try {
    await writeJson(store, runFiles.plan, plan, { isNew: true })
    return plan
  } catch (error) {
    if (error instanceof AssayError && error.code === "precondition_failed") throw hasPlan(store)
    throw error
  }
}

/** Returns the refusal to cut another job into the location of a run. */
export function hasPlan({ location }: RunStore): AssayError {
  const message = `'${printable(location)}' has a run that is cut already.`
  const remedy =
    "Choose another location, or run its shards. A run is replaced by nothing: remove it yourself if nobody needs it."
  return new AssayError("output_exists", message, { context: { remedy } })
}

/** Reads the plan of a run. @throws `bad_document` if the location has none, or one of another version */
export async function readPlan(store: RunStore): Promise<ShardPlan> {
  const found = await findPlan(store)
  if (found !== undefined) return found
  const run = printable(store.location)
  const message = `There is no run at '${run}', as this machine sees it.`
  const remedy =
    store.folder === undefined
      ? "Check the name of the bucket, and the prefix."
      : "If the job was cut on another machine, check that the folder is shared and has the same path here. `assay eval cut FILE --shards N --out RUN` makes a new run."
  throw new AssayError("bad_document", message, { context: { remedy } })
}

/** Reads the plan of a run. Undefined if the location has none. @throws `bad_document` for a plan of another version */
export async function findPlan(store: RunStore): Promise<ShardPlan | undefined> {
  const found = await readJson(store, runFiles.plan)
  if (found === undefined) return undefined
  const version = isObject(found) ? found["version"] : undefined
  const plan = `The plan of '${printable(store.location)}'`
  if (version !== ROWS_VERSION && version !== LANES_VERSION) {
    const said = typeof version === "number" ? `version ${version}` : "no version"
    const message = `${plan} has ${said}, and this program reads versions ${ROWS_VERSION} and ${LANES_VERSION}: use the program that cut the run.`
    throw new AssayError("bad_document", message)
  }
  if (!Value.Check(PlanFrame, found)) {
    const [fault] = Value.Errors(PlanFrame, found)
    const message = `${plan} is damaged: '${printable(fault?.path ?? "")}' is not what was written. Cut the job again.`
    throw new AssayError("bad_document", message)
  }
  await checkJob(store, found.job)
  // The other fields were written by this version.
  return found as object as ShardPlan
}

/** Checks the job of a plan like one of an evaluation file: the plan is a file that others can write. @throws `bad_document` */
async function checkJob(
  { location }: RunStore,
  job: { readonly target: object; readonly config: object },
): Promise<void> {
  const { compileCheck } = await import("@assay/validation")
  for (const [name, schema] of [["target", EvaluationTargetBody] as const, ["config", EvaluationConfigBody] as const]) {
    const checked = compileCheck(schema)(structuredClone(job[name]))
    if (checked.valid) continue
    const [issue] = checked.issues
    const where = [name, ...(issue?.loc ?? [])].join(".")
    const message = `The plan of '${printable(location)}' has a job that is not valid: '${printable(where)}': ${issue?.msg ?? "Not valid"}.`
    throw new AssayError("bad_document", message)
  }
}
