import type { Registry } from "@assay/registry"
import {
  AssayError,
  invalidRequest,
  MAX_RANKED,
  type EvaluationJob,
  type EvaluationResult,
  type Leaderboard,
} from "@assay/schemas"
import { otherResults, resultScores, type JobToCompare } from "@assay/results"
import type { JobCaller } from "../job-caller.ts"
import { datasetsOf, endedJobs, modelOf, nameOf } from "./jobs-of-workspace.ts"

export interface LeaderboardQuery {
  readonly workspace: string
  /** As `workspace/fileset/path`. */
  readonly dataset: string
  /** `task.metric.score`. Default: the first score that decides of the newest job. */
  readonly score?: string | undefined
}

export interface LeaderboardContext {
  readonly registry: Pick<Registry, "jobs">
  /** Opens the rows of a job. @throws `not_found` if they were removed */
  readonly open: (job: EvaluationJob, caller: JobCaller, signal: AbortSignal) => Promise<JobToCompare>
}

/** Rows of a ranked job, and of all of them: each is read whole. */
const MAX_ROWS = 100_000
const MAX_ALL_ROWS = 400_000

/** Creates what ranks the jobs of a dataset, one leaderboard at a time: each reads the rows of all of its jobs. */
export function createLeaderboards(context: LeaderboardContext) {
  let last: Promise<unknown> = Promise.resolve()
  return (query: LeaderboardQuery, caller: JobCaller, signal: AbortSignal): Promise<Leaderboard> => {
    const next = last.then(() => {
      signal.throwIfAborted()
      return rankJobs(context, query, { caller, signal })
    })
    last = next.catch(() => undefined)
    return next
  }
}

interface Candidate {
  readonly job: EvaluationJob
  readonly result: EvaluationResult
}

interface RankOptions {
  readonly caller: JobCaller
  readonly signal: AbortSignal
}

async function rankJobs(
  { registry, open }: LeaderboardContext,
  { workspace, dataset, score: given }: LeaderboardQuery,
  { caller, signal }: RankOptions,
): Promise<Leaderboard> {
  const all = await endedJobs(registry, workspace, caller)
  const latest = latestOf(all.filter((job) => job.status === "COMPLETED" && datasetsOf(job).includes(dataset)))
  const found: Candidate[] = []
  for (const job of latest.slice(0, MAX_RANKED)) {
    const result = await registry.jobs.getResult(job.id)
    if (result !== undefined) found.push({ job, result })
  }
  const [first] = found
  if (first === undefined) {
    const message = `No completed job of workspace '${workspace}' reads '${dataset.slice(0, 200)}'.`
    throw new AssayError("not_found", message)
  }
  const scores = [...new Set(found.flatMap(({ result }) => resultScores.list(result).map(({ name }) => name)))]
  const score = given ?? firstDeciding(first)
  if (!scores.includes(score)) {
    const message = `'${score.slice(0, 200)}' is not a score of these jobs; they have ${scores.slice(0, 20).join(", ")}.`
    throw invalidRequest(["query", "score"], message, "value_error", score)
  }
  const ranked = withinRows(found.filter(({ result }) => scoreIn(result, score) !== undefined))
  const opened: JobToCompare[] = []
  for (const { job } of ranked) opened.push(await open(job, caller, signal))
  const { jobs, different_rows } = await otherResults.groupJobs(opened, { score, signal })
  const named = resultScores.list(first.result).find(({ name }) => name === score)
  return {
    object: "list",
    dataset,
    score,
    scores,
    higher_is_better: named === undefined || resultScores.isHigherBetter(first.job.config, named),
    data: jobs.flatMap(({ id, mean, group }) => {
      const one = ranked.find(({ job }) => job.id === id)
      return one === undefined ? [] : [{ ...describe(one, score), mean, group }]
    }),
    different_rows,
    left_out: latest.length - ranked.length,
  }
}

/** Returns the newest job of each model and description. @param jobs the newest first */
function latestOf(jobs: readonly EvaluationJob[]): readonly EvaluationJob[] {
  const seen = new Set<string>()
  return jobs.filter((job) => {
    const key = JSON.stringify([modelOf(job), nameOf({ ...job, id: "" }), job.config.tasks])
    return !seen.has(key) && seen.add(key)
  })
}

/** Returns the jobs that fit into the memory of a leaderboard. */
function withinRows(found: readonly Candidate[]): readonly Candidate[] {
  let left = MAX_ALL_ROWS
  return found.filter(({ job }) => {
    const rows = job.status_details.samples_processed ?? 0
    if (rows > MAX_ROWS || rows > left) return false
    left -= rows
    return true
  })
}

function firstDeciding({ job: { config }, result }: Candidate): string {
  const all = resultScores.list(result)
  return (all.find((score) => !resultScores.isAmount(config, score)) ?? all[0])?.name ?? ""
}

function scoreIn(result: EvaluationResult, name: string) {
  return resultScores.list(result).find((score) => score.name === name)
}

function describe({ job, result }: Candidate, score: string) {
  const found = scoreIn(result, score)?.found
  const interval = found?.stats?.interval ?? found?.interval ?? null
  const { id, created_at } = job
  const ends = { low: interval?.low ?? null, high: interval?.high ?? null }
  return { job: id, name: nameOf(job), model: modelOf(job), created_at, ...ends }
}
