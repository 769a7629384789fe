import { invalidRequest, type ChangedRow, type Comparison, type ScoreComparison } from "@assay/schemas"
import { isHigherBetter } from "../results/is-higher-better.ts"
import { listScores } from "../results/list-scores.ts"
import { worstVerdict } from "../results/worst-verdict.ts"
import { compareSide } from "./compare-side.ts"
import type { JobToCompare } from "./job-to-compare.ts"
import { readJobValues } from "./read-job-values.ts"
import { warnOfDifferences } from "./warn-of-differences.ts"

export interface CompareJobsOptions {
  /** How much worse a job may be than the first one and still pass, in units of the score; 0 when not given. */
  readonly margin?: number
  readonly signal?: AbortSignal
}

const MAX_CHANGED = 50

/**
 * Holds jobs against the first of them, on the rows that both scored: McNemar's exact test for zeros and ones, sign permutation
 * and a paired t interval for other scores. Rows are paired by task and number, and left out where they ask another thing;
 * those of one group (`cluster_by`) count once.
 * Memory: 8 bytes for each score and row of two jobs at a time; rows themselves are read twice and not kept.
 *
 * @throws `invalid_request` for fewer than two jobs, or a margin below 0
 */
export async function compareJobs(
  jobs: readonly JobToCompare[],
  options: CompareJobsOptions = {},
): Promise<Comparison> {
  const { margin = 0, signal } = options
  const [first, ...others] = jobs
  if (first === undefined || others.length === 0) {
    throw invalidRequest(["jobs"], `There are ${jobs.length} jobs to compare; name two or more.`, "value_error")
  }
  if (!(margin >= 0))
    throw invalidRequest(["margin"], `${margin} is no margin; give a number, 0 or more.`, "value_error")
  const scores = scoresOf(first, jobs)
  const baseline = { job: first, ...(await readJobValues(first, signal)) }
  const changed: ChangedRow[] = []
  const warnings: string[] = []
  let total = 0
  for (const job of others) {
    const side = { job, ...(await readJobValues(job, signal)) }
    const found = await compareSide(baseline, side, scores, { margin, mostChanged: MAX_CHANGED, signal })
    for (const [place, pair] of found.pairs.entries()) if (pair !== undefined) scores[place]?.pairs.push(pair)
    changed.push(...found.changed)
    total += found.changedTotal
    warnings.push(...warnOfDifferences(first, job))
    warnings.push(...(found.differentRows === 0 ? [] : [leftOut(found.differentRows, job, first)]))
  }
  return {
    jobs: jobs.map(({ id, name }) => ({ id, name })),
    margin,
    verdict: worstVerdict(scores.flatMap(({ pairs }) => pairs.map(({ verdict }) => verdict))) ?? "INCONCLUSIVE",
    scores,
    changed_rows: changed,
    changed_rows_total: total,
    warnings,
  }
}

/** Every score that any of the jobs has, still without pairs. */
function scoresOf(first: JobToCompare, jobs: readonly JobToCompare[]): ScoreComparison[] {
  const byJob = jobs.map(({ result }) => new Map(listScores(result).map((one) => [one.name, one])))
  const all = new Map(byJob.flatMap((scores) => [...scores]))
  return [...all.values()].map(({ task, metric, score, name }) => ({
    task,
    metric,
    score,
    higher_is_better: isHigherBetter(first.config, { task, metric, score }),
    values: byJob.map((scores) => scores.get(name)?.found.value ?? null),
    pairs: [],
  }))
}

function leftOut(rows: number, job: JobToCompare, first: JobToCompare): string {
  return rows === 1
    ? `1 row of '${job.name}' asks something else than that of '${first.name}'; it is left out.`
    : `${rows} rows of '${job.name}' ask something else than those of '${first.name}'; they are left out.`
}
