import { createHash } from "node:crypto"
import { canonicalNumber, isExactNumber } from "@assay/json"
import {
  type EvaluationConfigBody,
  EvaluationParams,
  type EvaluationTask,
  IDENTITY_PARTS,
  type IdentityPart,
} from "@assay/schemas"
import { taskMetrics } from "../metrics/define-metrics.ts"
import { SENT } from "../models/run-params.ts"
import { type IdentityParts, metricParts } from "./metric-parts.ts"
import { turnParts } from "./turn-parts.ts"
import { withoutShownPrompt } from "./shown-prompt.ts"

type Config = Pick<EvaluationConfigBody, "params" | "tasks" | "type">

/** A score of a task of a configuration. */
interface ScoreKey {
  readonly task: string
  readonly metric: string
  readonly score: string
}

/** Returns the parts of the identity of a score; undefined for one that the configuration does not define, such as one of a benchmark's harness. */
function partsOf(config: Config, { task: name, metric: key, score }: ScoreKey): IdentityParts | undefined {
  const { type } = config
  if (type === "benchmark") return undefined
  if (type === "retriever") return metricParts({ type: "ranking", params: {} }, score)
  const tasks = config.tasks ?? {}
  const task: EvaluationTask = Object.hasOwn(tasks, name) ? (tasks[name] ?? {}) : {}
  const metrics = taskMetrics(config, task)
  const metric = Object.hasOwn(metrics, key) ? metrics[key] : undefined
  if (metric === undefined) {
    return key === "content_safety" ? metricParts({ type: key, params: {} }, score) : turnParts(task, key)
  }
  const { params } = withoutShownPrompt(metric, task.params?.["template"]) as typeof metric
  const defaults = type === "agentic" ? { ...ofMetrics(config.params), ...ofMetrics(task.params) } : {}
  const parts = metricParts({ type: metric.type, params: { ...defaults, ...params }, when: metric.when }, score)
  // The references of these tasks are not in the parameters.
  return type === "similarity_metrics" ? { ...parts, type: `${type}.${metric.type}` } : parts
}

/** Returns the parameters of a task that its metrics read: neither those of the run, nor those that the target is sent. */
function ofMetrics(params: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const others = new Set<string>([...Object.keys(EvaluationParams.properties), ...SENT, "template"])
  return Object.fromEntries(Object.entries(params).filter(([key]) => !others.has(key)))
}

/**
 * Returns the SHA-256 digest of what gives a score its meaning, in hexadecimal digits; undefined for a score that the configuration does not define. It does not
 * depend on addresses, keys, the order of keys, or the version of this product.
 */
function digestOf(config: Config, key: ScoreKey): string | undefined {
  const parts = partsOf(config, key)
  return parts === undefined ? undefined : createHash("sha256").update(canonicalText(parts)).digest("hex")
}

/** Returns the parts in which a score of two configurations differs. */
function changedParts(before: Config, after: Config, key: ScoreKey): readonly IdentityPart[] {
  const first = partsOf(before, key)
  const second = partsOf(after, key)
  if (first === undefined || second === undefined) return first === second ? [] : ["type"]
  return IDENTITY_PARTS.filter((part) => canonicalText(first[part]) !== canonicalText(second[part]))
}

/** Returns a value as JSON with the keys of its objects in order, and each number in one form. Null counts as absent. */
function canonicalText(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? ""
}

function sorted(value: unknown): unknown {
  if (typeof value === "number" || isExactNumber(value)) return canonicalNumber(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== null)
  const ordered = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  // `fromEntries` also creates a key named `__proto__`.
  return Object.fromEntries(ordered.map(([key, part]) => [key, sorted(part)]))
}

/** Says that a score measures something else in other results, and what helps. `where` is a name of these results. */
function describeChange(where: string, changed: readonly IdentityPart[]): string {
  return `measures something else in '${where}' (${changed.join(", ")}). Compute the older scores again with \`assay eval rescore\`.`
}

/** The operations on what gives scores their meaning. */
export const scoreIdentity = Object.freeze({ digest: digestOf, changed: changedParts, describe: describeChange })
