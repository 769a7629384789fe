import { worstVerdict } from "@assay/metrics"
import {
  invalidRequest,
  type ChangedRow,
  type Comparison,
  type IdentityPart,
  type PairComparison,
  type ScoreComparison,
} from "@assay/schemas"
import { isAmount, isHigherBetter, listScores, type NamedScore, unitOfAmount } from "../scores/list-scores.ts"
import { changedIdentity, describeChanged, withoutIdentities } from "./changed-identity.ts"
import { compareSide } from "./compare-side.ts"
import type { ComparisonLabels } from "../corrected/pair-facts.ts"
import { withDistinctNames } from "./distinct-names.ts"
import {
  biasedByGates,
  comparedWithout,
  type JobToCompare,
  datasetWarnings,
  readJobValues,
  requireDifferentJobs,
} from "./job-to-compare.ts"

export interface CompareJobsOptions {
  /** How much worse than the first job a job may be and still pass, in units of the score. Default 0. */
  readonly margin?: number
  /** Decide also the scores that measure something else in another job. Default false: such a score has no verdict. */
  readonly allowChanged?: boolean
  /** Labels of people: scores of judges, and scores with labels, are then decided by the difference that people would see. */
  readonly labels?: ComparisonLabels
  readonly signal?: AbortSignal
}

const MAX_CHANGED = 50

/**
 * Compares jobs with the first of them, over the rows that both scored: McNemar's exact test for scores of zeros and ones,
 * sign permutation and the interval of paired differences for other scores. Rows are paired by task and number. Rows that ask something
 * else in the other job are left out, and the rows of one group (`cluster_by`) count once.
 * With labels of people, scores of judges are decided by the difference that people would see.
 * A score whose metric or judge differs measures something else, and has no verdict unless that is allowed.
 * Memory: 8 bytes for each score and row of two jobs at a time. The rows themselves are read twice and not kept.
 *
 * @throws `invalid_request` for fewer than two jobs, a job that is compared with itself, or a margin below 0
 */
export async function compareJobs(
  given: readonly JobToCompare[],
  options: CompareJobsOptions = {},
): Promise<Comparison> {
  const jobs = withDistinctNames(given)
  const { margin = 0, allowChanged = false, labels, signal } = options
  const reading = { signal, withDigests: labels !== undefined }
  const [first, ...others] = jobs
  if (first === undefined || others.length === 0) {
    throw invalidRequest(["jobs"], `There are ${jobs.length} jobs to compare; name two or more.`, "value_error")
  }
  if (!(margin >= 0))
    throw invalidRequest(["margin"], `The margin ${margin} is not a number of at least 0.`, "value_error")
  for (const job of others) requireDifferentJobs(first, job)
  const scores = scoresOf(first, jobs)
  const baseline = { job: first, ...(await readJobValues(first, reading)) }
  const changed: ChangedRow[] = []
  const changes: string[] = []
  const warnings = jobs.flatMap((job) => withoutIdentities(job, scores))
  let total = 0
  for (const job of others) {
    const side = { job, ...(await readJobValues(job, reading)) }
    const found = await compareSide(baseline, side, scores, { margin, maxChanged: MAX_CHANGED, signal, labels })
    const differing = scores.map((score) => ({ ...score, changed: changedIdentity(first, job, score) }))
    for (const [named, pair] of found.pairs.entries()) {
      const { changed: parts = [] } = differing[named] ?? {}
      if (pair !== undefined) scores[named]?.pairs.push(withIdentity(pair, parts, allowChanged))
    }
    const inBoth = differing.filter(
      ({ changed: parts, values }) => parts.length > 0 && values[0] !== null && values[jobs.indexOf(job)] !== null,
    )
    changes.push(...describeChanged(inBoth, [first.name, job.name]))
    changed.push(...found.changed)
    total += found.changedTotal
    warnings.push(...datasetWarnings(first, job))
    warnings.push(...biasedByGates([first, job]))
    warnings.push(...(found.differentRows === 0 ? [] : [leftOut(found.differentRows, job, first)]))
    warnings.push(...openLabels(scores, found.pairs))
    warnings.push(...scores.flatMap((score, named) => scoredOnce(score, found.pairs[named], found.differentRows)))
  }
  return {
    jobs: jobs.map(({ id, name }) => ({ id, name })),
    margin,
    verdict: verdictOf(scores),
    scores,
    changed_rows: changed,
    changed_rows_total: total,
    changes,
    warnings,
  }
}

/** Adds what differs in the meaning of a score, which then has no verdict. */
function withIdentity(pair: PairComparison, changed: readonly IdentityPart[], isAllowed: boolean): PairComparison {
  if (changed.length === 0) return pair
  const identity = { changed: [...changed] }
  if (isAllowed) return { ...pair, identity }
  const { corrected } = pair
  const held = corrected && { ...corrected, verdict: null, labels_needed: null }
  return { ...pair, rows_needed: null, verdict: null, identity, ...(held && { corrected: held }) }
}

function verdictOf(scores: readonly ScoreComparison[]): Comparison["verdict"] {
  const verdicts = scores.flatMap(({ decides, pairs }) =>
    decides ? pairs.map(({ verdict, corrected }) => (corrected === undefined ? verdict : corrected.verdict)) : [],
  )
  const worst = worstVerdict(verdicts.filter((verdict) => verdict !== null)) ?? "INCONCLUSIVE"
  return worst !== "FAIL" && verdicts.includes(null) ? null : worst
}

/** Lists every score that any of the jobs has, without pairs yet. */
function scoresOf(first: JobToCompare, jobs: readonly JobToCompare[]): ScoreComparison[] {
  const byJob = jobs.map(({ result }) => new Map(listScores(result).map((one) => [one.name, one])))
  const all = new Map(byJob.flatMap((scores) => [...scores]))
  // A score that the first job does not have means what it means in the job that has it.
  const configOf = ({ name }: NamedScore) => (jobs[byJob.findIndex((scores) => scores.has(name))] ?? first).config
  const isDeciding = (named: NamedScore) => !isAmount(configOf(named), named)
  const hasDeciding = [...all.values()].some(isDeciding)
  return [...all.values()].map((named) => ({
    task: named.task,
    metric: named.metric,
    score: named.score,
    higher_is_better: isHigherBetter(configOf(named), named),
    decides: !hasDeciding || isDeciding(named),
    ...unitIn(configOf(named), named, byJob),
    values: byJob.map((scores) => scores.get(named.name)?.found.value ?? null),
    pairs: [],
  }))
}

/** Returns the unit of a score, if there is one. */
function unitIn(
  config: JobToCompare["config"],
  named: NamedScore,
  byJob: readonly ReadonlyMap<string, NamedScore>[],
): Pick<ScoreComparison, "unit"> {
  const amount = unitOfAmount(config, named)
  if (amount !== undefined) return { unit: amount }
  const stats = byJob.flatMap((scores) => scores.get(named.name)?.found.stats ?? [])
  const isShare = stats.length > 0 && stats.every(({ min, max }) => Number(min) >= 0 && Number(max) <= 1)
  return isShare ? { unit: "share" } : {}
}

/** Says that a score leaves out rows that one job alone scored: a job with unreadable answers must not look better without them. */
function scoredOnce(
  { task, metric, score, decides }: ScoreComparison,
  pair: PairComparison | undefined,
  differentRows: number,
): readonly string[] {
  if (!decides || pair === undefined || pair.left_out <= differentRows) return []
  return [comparedWithout(`${task}.${metric}.${score}`, pair.left_out, pair.rows)]
}

/** Warns of labels that may be a selection. */
function openLabels(
  scores: readonly ScoreComparison[],
  pairs: readonly (PairComparison | undefined)[],
): readonly string[] {
  return scores.flatMap(({ task, metric, score }, named) => {
    const { left_open: open = 0 } = pairs[named]?.corrected ?? {}
    if (open === 0) return []
    return [
      `'${task}.${metric}.${score}': labels are missing for ${open} rows of a draw whose later rows have labels, so they may be a selection.`,
    ]
  })
}

function leftOut(rows: number, job: JobToCompare, first: JobToCompare): string {
  return rows === 1
    ? `1 row of '${job.name}' asks something else than that of '${first.name}'; it is left out.`
    : `${rows} rows of '${job.name}' ask something else than those of '${first.name}'; they are left out.`
}
