import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type {
  DatasetMetadata,
  DatasetPin,
  EvaluationConfigBody,
  EvaluationTargetBody,
  GuardrailData,
  PriceTable,
} from "@assay/schemas"
import { isObject } from "@assay/json"
import { AssayError, printable } from "@assay/schemas"
import type { ScoreGate } from "@assay/results"
import { readJson, type RunStore, runFiles, writeJson } from "./store/run-store.ts"

/** The form of the plan. A program that does not know it refuses the run. */
const PLAN_VERSION = 1

/** Rows of one task that belong to one shard. */
export interface TaskRange {
  readonly task: string
  readonly firstRow: number
  /** The number after the last row. */
  readonly endRow: number
}

/** Row files that were copied into a run. */
export interface CopiedDataset {
  /** The path in the evaluation file. */
  readonly written: string
  /** The number of its folder below `data/`. */
  readonly number: number
  /** In the order of their rows. */
  readonly paths: readonly string[]
  readonly metadata?: DatasetMetadata | undefined
  readonly pin: DatasetPin
}

/** Everything that the processes of a run have to know. The record `plan.json` of the run. */
export interface ShardPlan {
  readonly version: typeof PLAN_VERSION
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
  /** The shards by their index. The rows of a shard follow those of the shard before. */
  readonly shards: readonly (readonly TaskRange[])[]
  /** Maximum number of shards that run at the same time. The parallelism of the job is divided by it. */
  readonly at_once: number
  readonly datasets: readonly CopiedDataset[]
  /** The numbers of the folders with copied labels, by the name that metrics give them. */
  readonly labels: Readonly<Record<string, number>>
  /** Guardrail configurations by their names. */
  readonly guardrails: Readonly<Record<string, GuardrailData>>
  /** The pins of all datasets, in the order in which the job opens them. */
  readonly pins: readonly DatasetPin[]
  /** The gates of the command line. */
  readonly gates: readonly ScoreGate[]
  readonly prices?: PriceTable | undefined
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
  shards: Type.Array(
    Type.Array(
      Type.Object({
        task: Type.String(),
        firstRow: Type.Integer({ minimum: 0 }),
        endRow: Type.Integer({ minimum: 0 }),
      }),
    ),
    { minItems: 1 },
  ),
  at_once: Type.Integer({ minimum: 1 }),
  datasets: Type.Array(Type.Object({ written: Type.String(), number: Type.Integer({ minimum: 0 }) })),
  labels: Type.Object({}),
  guardrails: Type.Object({}),
  pins: Type.Array(Type.Object({})),
  gates: Type.Array(Type.Object({})),
})

/** Writes the plan of a new run. @throws `output_exists` if the location has one */
export async function writePlan(store: RunStore, plan: Omit<ShardPlan, "version">): Promise<void> {
  try {
    await writeJson(store, runFiles.plan, { version: PLAN_VERSION, ...plan }, { isNew: true })
  } catch (error) {
    if (error instanceof AssayError && error.code === "precondition_failed") throw hasPlan(store)
    throw error
  }
}

/** Returns the refusal to cut another job into the location of a run. */
export function hasPlan({ location }: RunStore): AssayError {
  const message = `'${printable(location)}' has a run that is cut already: choose another location, or run its shards.`
  return new AssayError("output_exists", message)
}

/** Reads the plan of a run. @throws `bad_document` if the location has none, or one of another version */
export async function readPlan(store: RunStore): Promise<ShardPlan> {
  const found = await findPlan(store)
  if (found !== undefined) return found
  const message = `'${printable(store.location)}' has no plan of a run: cut a job into it with \`assay eval cut FILE --shards N --out ${printable(store.location)}\`.`
  throw new AssayError("bad_document", message)
}

/** Reads the plan of a run. Undefined if the location has none. @throws `bad_document` for a plan of another version */
export async function findPlan(store: RunStore): Promise<ShardPlan | undefined> {
  const found = await readJson(store, runFiles.plan)
  if (found === undefined) return undefined
  const version = isObject(found) ? found["version"] : undefined
  if (!Value.Check(PlanFrame, found) || version !== PLAN_VERSION) {
    const said = typeof version === "number" ? `version ${version}` : "no version"
    const message = `The plan of '${printable(store.location)}' has ${said}, and this program reads version ${PLAN_VERSION}: use the program that cut the run.`
    throw new AssayError("bad_document", message)
  }
  // The other fields were written by this version.
  return found as object as ShardPlan
}
