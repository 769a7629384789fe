import { labelledMetrics } from "@assay/results"
import {
  type ApiEndpoint,
  type BodyFacts,
  type BodyFields,
  type EvaluationConfigBody,
  readBodyFacts,
} from "@assay/schemas"
import { fieldsOf, isObject } from "@assay/json"
import { endpointKey } from "@assay/scoring"
import type { TaskShape } from "@assay/evaluation"
import type { LaunchSubject } from "./launch-ports.ts"

/** A launch with everything that its bodies name, read once for rights, checks and secrets. */
export interface LaunchFacts extends LaunchSubject, Pick<BodyFacts, "secretReferences" | "inlineKeys"> {
  readonly endpoints: readonly NamedEndpoint[]
  readonly datasets: readonly NamedDataset[]
  readonly guardrails: readonly NamedGuardrail[]
  readonly labels: ReturnType<typeof labelledMetrics>
}

/** Reads everything that a target and a configuration name. */
export function readLaunchFacts({ namespace, target, config }: LaunchSubject, fields?: BodyFields): LaunchFacts {
  const { endpoints, ...secrets } = readBodyFacts({ target, config }, fields)
  return {
    namespace,
    target,
    config,
    ...secrets,
    endpoints: endpointsOf(endpoints),
    datasets: datasetsOf({ target, config }),
    guardrails: guardrailsOf(config),
    labels: labelledMetrics(config),
  }
}

/** An endpoint that a job calls, and the locations that name it. */
export interface NamedEndpoint {
  readonly endpoint: ApiEndpoint
  /** `target.model`, `config.tasks.qa.metrics.judge.params.model`, …; at least one. */
  readonly locations: readonly string[]
  /** Whether log-probabilities of one prompt are read, or of several in one request. Absent: none are read. */
  readonly readsLogprobs?: TaskShape["readsLogprobs"]
}

/** Joins the endpoints of a body, each once: the model of the target and the judges. */
function endpointsOf(fields: BodyFacts["endpoints"]): readonly NamedEndpoint[] {
  const found = new Map<string, { endpoint: ApiEndpoint; locations: string[] }>()
  for (const { value: endpoint, path } of fields) {
    if (!isEndpoint(endpoint)) continue
    const location = path.slice(0, -1).join(".")
    const key = endpointKey(endpoint)
    const known = found.get(key)
    if (known === undefined) found.set(key, { endpoint, locations: [location] })
    else known.locations.push(location)
  }
  return [...found.values()]
}

function isEndpoint(value: unknown): value is ApiEndpoint {
  return isObject(value) && typeof value["url"] === "string" && typeof value["model_id"] === "string"
}

/** A dataset that a job reads, and the location that names it. */
export interface NamedDataset {
  readonly dataset: unknown
  /** `target.cached_outputs`, `config.tasks.qa.dataset`, …; at least one. */
  readonly locations: readonly string[]
}

/** Finds every dataset that a job reads, each once. The check of the shape reports missing ones. */
function datasetsOf({ target, config }: Pick<LaunchSubject, "target" | "config">): readonly NamedDataset[] {
  const named: (readonly [unknown, string])[] = [
    [target.type === "cached_outputs" ? target.cached_outputs : undefined, "target.cached_outputs"],
    [target.type === "dataset" ? target.dataset : undefined, "target.dataset"],
    ...Object.entries(config.tasks ?? {}).map(
      ([name, { dataset }]) => [dataset, `config.tasks.${name}.dataset`] as const,
    ),
  ]
  const found = new Map<string, { dataset: unknown; locations: string[] }>()
  for (const [dataset, location] of named) {
    // Rows that are in the job itself need not be found.
    const isInline = target.type === "model" && Array.isArray(fieldsOf(dataset)["rows"])
    if (dataset === undefined || isInline) continue
    const key = JSON.stringify(dataset)
    const known = found.get(key)
    if (known === undefined) found.set(key, { dataset, locations: [location] })
    else known.locations.push(location)
  }
  return [...found.values()]
}

/** A guardrail that a configuration names, or contains as an object. */
export interface NamedGuardrail {
  readonly guardrail: unknown
  /** `config.tasks.safety.params.guardrail`, … */
  readonly location: string
}

/** Finds the guardrails of a `content_safety` or `calibration` configuration: the one for all tasks, and those of single tasks. */
function guardrailsOf({ type, params, tasks = {} }: EvaluationConfigBody): readonly NamedGuardrail[] {
  if (type !== "content_safety" && type !== "calibration") return []
  const locations: readonly (readonly [string, object | undefined])[] = [
    ["config", params],
    ...Object.entries(tasks).map(([name, task]) => [`config.tasks.${name}`, task.params] as const),
  ]
  return locations.flatMap(([location, params]) =>
    params !== undefined && "guardrail" in params
      ? [{ guardrail: params.guardrail, location: `${location}.params.guardrail` }]
      : [],
  )
}
