import type { Registry } from "@assay/registry"
import { MAX_TREND, type EvaluationJob, type EvaluationResult, type JobTrend, type TrendPoint } from "@assay/schemas"
import { resultScores } from "@assay/results"
import type { EvaluationBaselines } from "../evaluation-baselines.ts"
import type { JobCaller } from "../job-caller.ts"
import { datasetsOf, endedJobs, isWanted, modelOf, nameOf, type JobsWanted } from "./jobs-of-workspace.ts"

export interface TrendQuery extends Omit<JobsWanted, "baseline"> {
  /** The name of a baseline. */
  readonly baseline?: string | undefined
}

/** Scores of a job that a trend shows. */
const MAX_SCORES = 60
/** Names that can be chosen, of each kind. */
const MAX_CHOICES = 200
/** Results that are read at a time. */
const AT_ONCE = 8

export interface TrendContext {
  readonly registry: Pick<Registry, "jobs">
  readonly baselines: Pick<EvaluationBaselines, "list" | "get">
}

/** Returns what the jobs of a configuration, dataset, name or baseline found, one after the other. @throws `not_found` */
export async function jobTrend(
  { registry, baselines }: TrendContext,
  { baseline: named, ...query }: TrendQuery,
  caller: JobCaller,
): Promise<JobTrend> {
  const { workspace } = query
  const all = await endedJobs(registry, workspace, caller)
  const { data: stored } = await baselines.list(workspace, caller)
  const baseline = named === undefined ? undefined : await baselines.get({ workspace, name: named }, caller)
  const wanted = all.filter((job) => isWanted(job, { ...query, baseline }))
  const shown = wanted.slice(0, MAX_TREND).toReversed()
  const data: TrendPoint[] = []
  for (let at = 0; at < shown.length; at += AT_ONCE) {
    const some = shown.slice(at, at + AT_ONCE)
    data.push(...(await Promise.all(some.map(async (job) => pointOf(job, await registry.jobs.getResult(job.id))))))
  }
  const unique = (names: readonly (string | undefined)[]) =>
    [...new Set(names.flatMap((name) => (name === undefined || name === "" ? [] : [name])))].slice(0, MAX_CHOICES)
  return {
    object: "list",
    data,
    total: wanted.length,
    choices: {
      configs: unique(all.map(({ config }) => config.name)),
      datasets: unique(all.flatMap(datasetsOf)),
      names: unique(repeated(all.map(({ description }) => description))),
      baselines: unique(stored.map(({ name }) => name)),
    },
  }
}

/** Returns the texts that occur more than once. */
function repeated(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return texts.filter((text) => seen.has(text) || !seen.add(text))
}

function pointOf(job: EvaluationJob, result: EvaluationResult | undefined): TrendPoint {
  const { id, config, created_at, custom_fields, status, status_details: details, started_at, finished_at } = job
  const { commit } = custom_fields
  const scores = result === undefined ? [] : resultScores.list(result).slice(0, MAX_SCORES)
  return {
    job: id,
    name: nameOf(job),
    model: modelOf(job),
    created_at,
    commit: typeof commit === "string" ? commit.slice(0, 200) : null,
    status,
    scores: scores.map((named) => {
      const unit = resultScores.unitOfAmount(config, named)
      const interval = named.found.stats?.interval ?? named.found.interval ?? null
      return {
        name: named.name,
        value: named.found.value,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        ...(unit === undefined ? {} : { unit }),
      }
    }),
    gates: (details.gates ?? []).map(({ name, limit, verdict }) => ({ name, limit, verdict })),
    rows: details.samples_processed ?? 0,
    failed: details.samples_failed ?? 0,
    cost: details.cost?.amount ?? null,
    currency: details.cost?.currency ?? null,
    seconds:
      started_at === null || finished_at === null ? null : (Date.parse(finished_at) - Date.parse(started_at)) / 1000,
  }
}
