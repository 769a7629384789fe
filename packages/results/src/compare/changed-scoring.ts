import { isDeepStrictEqual } from "node:util"
import type { EvaluationConfigBody } from "@assay/schemas"
import { isObject } from "@assay/json"
import { withoutShownPrompt } from "./shown-prompt.ts"
import type { JobToCompare } from "./job-to-compare.ts"

type Metrics = Readonly<Record<string, unknown>>

/** Differences that are named for each pair of jobs. */
const MAX_NAMED = 5

/**
 * Returns a sentence for each thing that makes the scores of two jobs measure something else: the kind of their configurations, and of each metric its type,
 * its parameters, its templates and the models that judge. A score that changed with its metric says nothing about the models. Addresses and keys of
 * endpoints do not count, and neither does the prompt of the target, also where a judge is shown it.
 */
export function scoringChanges(first: JobToCompare, job: JobToCompare): readonly string[] {
  const before = first.config
  const after = job.config
  if (before === undefined || after === undefined) return []
  const names = [first.name, job.name] as const
  if (before.type !== after.type)
    return [
      `'${names[0]}' is of type '${before.type}', '${names[1]}' of '${after.type}': their scores measure different things.`,
    ]
  const tasks = Object.keys(before.tasks ?? {}).filter((task) => Object.hasOwn(after.tasks ?? {}, task))
  const changes = tasks.flatMap((task) => {
    const own = before.tasks?.[task]
    const other = after.tasks?.[task]
    const metrics = changedMetrics(metricsOf(own), metricsOf(other))
    return [
      ...metrics.map(
        ({ name, what }) =>
          `The metric '${name}' of '${task}' differs between '${names[0]}' and '${names[1]}' (${what}): its scores measure different things.`,
      ),
      ...(own?.type === other?.type
        ? []
        : [`The task '${task}' is of type '${own?.type}' in '${names[0]}' and of '${other?.type}' in '${names[1]}'.`]),
    ]
  })
  const judges = isDeepStrictEqual(judgesOf(before), judgesOf(after)) || changes.length > 0
  if (!judges)
    return [`'${names[0]}' and '${names[1]}' are judged by different models: their scores measure different things.`]
  const more = changes.length - MAX_NAMED
  return more <= 0
    ? changes
    : [...changes.slice(0, MAX_NAMED), `${more} further differences of metrics are not listed.`]
}

/** Returns what a metric measures: its type, parameters, templates and judges. Comparisons and gates compare it. */
export function metricIdentity(config: NonNullable<JobToCompare["config"]>, task: string, metric: string): unknown {
  return identityOf(metricsOf(config.tasks?.[task])[metric])
}

/** Returns whether a metric measures the same in two jobs. True if a job does not say how it scored. */
export function isSameMetric(
  first: JobToCompare["config"],
  other: JobToCompare["config"],
  task: string,
  metric: string,
): boolean {
  if (first === undefined || other === undefined) return true
  return isDeepStrictEqual(metricIdentity(first, task, metric), metricIdentity(other, task, metric))
}

function metricsOf(task: NonNullable<EvaluationConfigBody["tasks"]>[string] | undefined): Metrics {
  const template = task?.params?.["template"]
  return Object.fromEntries(
    Object.entries(task?.metrics ?? {}).map(([name, metric]) => [name, withoutShownPrompt(metric, template)]),
  )
}

function changedMetrics(before: Metrics, after: Metrics): readonly { readonly name: string; readonly what: string }[] {
  return Object.keys(before)
    .filter((name) => Object.hasOwn(after, name))
    .flatMap((name) => {
      const what = differences(identityOf(before[name]), identityOf(after[name]), "")
      return what.length === 0 ? [] : [{ name, what: what.slice(0, 3).join(", ") }]
    })
}

/** Returns the paths at which two values differ, such as `params.model.model_id`. */
function differences(a: unknown, b: unknown, path: string): readonly string[] {
  if (isDeepStrictEqual(a, b)) return []
  if (!isObject(a) || !isObject(b)) return [path === "" ? "type" : path]
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return keys.flatMap((key) => differences(a[key], b[key], path === "" ? key : `${path}.${key}`))
}

/** Returns the names of models that a configuration names: all of them judge or embed, because the target is not in it. */
function judgesOf(config: NonNullable<JobToCompare["config"]>): readonly string[] {
  const found = new Set<string>()
  collectModels(config, found)
  return [...found].toSorted()
}

function collectModels(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) collectModels(one, found)
  else if (isObject(value)) {
    if (typeof value["model_id"] === "string") found.add(value["model_id"])
    for (const one of Object.values(value)) collectModels(one, found)
  }
}

/** The address of a judge and the way to it say nothing about its measure. Labels of people change no score of a row. */
const APART = new Set(["url", "ca", "api_key", "api_key_env", "api_key_secret", "labels"])

function identityOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(identityOf)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => !APART.has(key) && one !== undefined && one !== null)
      .map(([key, one]) => [key, identityOf(one)]),
  )
}
