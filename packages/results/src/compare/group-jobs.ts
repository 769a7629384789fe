import { setImmediate } from "node:timers/promises"
import { groupAlike, type GroupedModels } from "@assay/metrics"
import { invalidRequest } from "@assay/schemas"
import { findScore, isHigherBetter, listScores } from "../scores/list-scores.ts"
import { type JobToCompare, type JobValues, readJobValues, scoreKey, type TaskValues } from "./job-to-compare.ts"

export interface GroupJobsOptions {
  /** `task.metric.score`; parts that leave one score only can be left out, as in a gate. */
  readonly score: string
  /** The probability that any two jobs are told apart that do not differ. Default 0.05. */
  readonly alpha?: number
  readonly signal?: AbortSignal
}

export interface GroupedJob {
  readonly id: string
  readonly name: string
  /** The mean of the rows that ask the same in all jobs; null without one. */
  readonly mean: number | null
  /** Letters, such as `a` or `ab`. Two jobs that share a letter do not differ. `a` is the group of the best. */
  readonly group: string
}

export interface GroupedJobs {
  readonly score: string
  /** The best first. */
  readonly jobs: readonly GroupedJob[]
  /** Each two jobs, by their ids. */
  readonly pairs: GroupedModels["pairs"]
  /** Rows that do not ask the same in all jobs. No job counts them. */
  readonly different_rows: number
}

/**
 * Groups jobs over one dataset that paired tests of a score do not tell apart, with Holm's levels: the groups of a leaderboard.
 * Rows are paired by their number, repeats and rows of a group (`cluster_by`) count once. Memory: 8 bytes for each score and row of all jobs.
 *
 * @throws `invalid_request` for a score that none of the jobs has, or for more than 26 jobs
 */
export async function groupJobs(
  jobs: readonly JobToCompare[],
  { score, alpha = 0.05, signal }: GroupJobsOptions,
): Promise<GroupedJobs> {
  const named = jobs.map(({ result }) => findScore(listScores(result), score)).find((one) => one !== undefined)
  if (named === undefined) {
    const known = [...new Set(jobs.flatMap(({ result }) => listScores(result).map(({ name }) => name)))]
    throw invalidRequest(
      ["score"],
      `'${score}' is not a score of these jobs; they have ${known.join(", ")}.`,
      "missing",
    )
  }
  const found: JobValues[] = []
  for (const job of jobs) found.push(await readJobValues(job, { signal }))
  const key = scoreKey(named.metric, named.score)
  const tasks = found.map(
    ({ tasks: all }) => all.get(named.task) ?? [...all.values()].find(({ scores }) => scores.has(key)),
  )
  const table = tableOf(tasks, key)
  const steps = groupAlike(
    jobs.map(({ id }, at) => ({ name: id, values: table.values[at] ?? [] })),
    { alpha, higherIsBetter: isHigherBetter(jobs[0]?.config, named), clusters: table.clusters },
  )
  let step = steps.next()
  while (step.done !== true) {
    // A test of many rows takes tens of milliseconds. Let other work of the process run in between.
    await setImmediate(undefined, { signal })
    step = steps.next()
  }
  const names = new Map(jobs.map(({ id, name }) => [id, name]))
  const { models, pairs } = step.value
  return {
    score: named.name,
    jobs: models.map(({ name: id, mean, group }) => ({
      id,
      name: names.get(id) ?? id,
      mean: Number.isNaN(mean) ? null : mean,
      group,
    })),
    pairs,
    different_rows: table.differentRows,
  }
}

interface ScoreTable {
  /** For each job the values of all rows and repeats; NaN for none. */
  readonly values: readonly Float64Array[]
  /** The row, or the number of its group, of each index. */
  readonly clusters: Float64Array
  readonly differentRows: number
}

function tableOf(tasks: readonly (TaskValues | undefined)[], key: string): ScoreTable {
  const scores = tasks.map((task) => task?.scores.get(key))
  const rows = Math.max(0, ...scores.map((one) => one?.rows ?? 0))
  const repeats = Math.max(0, ...scores.map((one) => one?.repeats ?? 0))
  const isSame = (row: number) =>
    new Set(tasks.map((task) => task?.items.get(row, 0) ?? Number.NaN).filter((sum) => !Number.isNaN(sum))).size <= 1
  const same = Array.from({ length: rows }, (_, row) => isSame(row))
  const groups = tasks.find((task) => task !== undefined)?.groups ?? null
  return {
    values: scores.map((one) =>
      Float64Array.from({ length: rows * repeats }, (_, at) => {
        const row = Math.floor(at / repeats)
        return same[row] === true ? (one?.get(row, at % repeats) ?? Number.NaN) : Number.NaN
      }),
    ),
    clusters: Float64Array.from({ length: rows * repeats }, (_, at) => {
      const row = Math.floor(at / repeats)
      return groups?.get(row, 0) ?? row
    }),
    differentRows: same.filter((one) => !one).length,
  }
}
