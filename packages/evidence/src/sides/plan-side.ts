import { storedRows } from "@assay/evaluation"
import { fieldsOf } from "@assay/json"
import { type JobToCompare, readRows } from "@assay/results"
import { AssayError, type EvaluationConfigBody } from "@assay/schemas"
import type { BundleSide } from "../statement/verdict-statement.ts"
import type { EvidencePorts } from "./evidence-ports.ts"

/** A side whose rows can be read. */
export interface ReadableSide {
  readonly side: BundleSide
  /** Reads the lines of its rows from the first one. */
  readonly rows: (signal?: AbortSignal) => AsyncIterable<Buffer>
}

/** The plan of a side, to score and to count its rows. */
export type PlannedSide = Awaited<ReturnType<typeof storedRows.plan>>

type StoredEnvironment = Parameters<typeof storedRows.plan>[1]

/** Plans a side to score and count its rows. Close the plan after use. @throws what is wrong with its configuration */
export async function planSide(
  { side }: ReadableSide,
  sides: readonly ReadableSide[],
  ports: EvidencePorts,
): Promise<PlannedSide> {
  const { id, target, config, units, tasks } = side
  const openBaseline = (name: string): Promise<JobToCompare> => {
    const found = sides.find((one) => one.side.role === "reference" && one.side.name === name)
    if (found !== undefined) return Promise.resolve(toCompare(found))
    throw new AssayError("bad_document", `A gate compares with '${name}', which is not in the bundle.`)
  }
  const environment: StoredEnvironment = { ...offline(ports), openBaseline }
  if (tasks !== undefined) return storedRows.planCounted({ id, config, units }, tasks, environment)
  if (target === null) throw new AssayError("bad_document", "The bundle has neither the target of a job nor its tasks.")
  return storedRows.plan({ id, target, config, units }, environment, ports.signal)
}

/** Returns a side as a job to compare. */
export function toCompare({ side, rows }: ReadableSide): JobToCompare {
  const { id, name, config, pins, result, namespace } = side
  const facts = { id: "", job: id, files_url: null, namespace, created_at: "" }
  return { id, name, config, pins, result: { ...facts, ...result }, rows: (signal) => readRows(rows(signal)) }
}

/** Returns an environment that opens no connection, and knows no secret. */
function offline({ schemas, now, random, sleep }: EvidencePorts): StoredEnvironment {
  const refuse = (): never => {
    throw new AssayError("bad_usage", "Nothing is asked when scores are computed again.")
  }
  let ids = 0
  const openDispatcher = () => ({ request: refuse, destroy: () => Promise.resolve() }) as never
  return {
    resolveKey: () => Promise.resolve(undefined),
    resolveSecret: () => Promise.resolve(""),
    getGuardrail: refuse,
    openPrograms: () => Promise.resolve(refuse),
    inference: { now, random, sleep, openDispatcher },
    schemas,
    now,
    random,
    newId: (prefix) => `${prefix}-${++ids}`,
    sleep,
  }
}

/** The types of metrics that need more than the row and its judges: a service, or a sandbox. */
const ASKING: ReadonlySet<unknown> = new Set(["remote", "answer_relevancy", "code-execution"])

/** Returns whether a metric is one of them, or is a list of checks with one. */
export function asksService(config: EvaluationConfigBody, task: string, metric: string): boolean {
  const metrics = config.tasks?.[task]?.metrics ?? {}
  return Object.hasOwn(metrics, metric) && isService(metrics[metric])
}

function isService(metric: unknown): boolean {
  const { type, params, ...given } = fieldsOf(metric)
  const { checks = given["checks"] } = fieldsOf(params)
  return ASKING.has(type) || Object.values(fieldsOf(checks)).some(isService)
}
