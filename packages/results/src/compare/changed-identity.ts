import type { IdentityPart } from "@assay/schemas"
import { scoreIdentity } from "@assay/scoring"
import type { ScoreKey } from "../scores/list-scores.ts"
import type { JobToCompare } from "./job-to-compare.ts"

/** Scores that are named for each pair of jobs. */
const MAX_NAMED = 5

/** The names of parts in sentences. */
const WORDS: Readonly<Record<IdentityPart, string>> = {
  type: "its type",
  version: "the version of the metric",
  model_id: "the model of the judge",
  inference_params: "the inference parameters of the judge",
  prompt: "the prompt of the judge",
  parser: "the parser of the answer",
  params: "its parameters",
}

/**
 * Returns the parts in which the meaning of a score differs between two jobs; none if it measures the same in both. The identities that the results have
 * decide. Results of older versions have none, and count as if the present version had scored them. Addresses and keys of
 * endpoints do not count, and neither does the prompt of the target, also where a judge is shown it.
 */
export function changedIdentity(first: JobToCompare, job: JobToCompare, key: ScoreKey): readonly IdentityPart[] {
  return changedBetween([first.config, storedIdentity(first, key)], [job.config, storedIdentity(job, key)], key)
}

/** Returns the parts in which the meaning of a score differs between a job and one of this configuration that runs now. */
export function changedSince(first: JobToCompare, config: Config, key: ScoreKey): readonly IdentityPart[] {
  const own = config === undefined ? undefined : scoreIdentity.digest(config, key)
  return changedBetween([first.config, storedIdentity(first, key)], [config, own], key)
}

type Config = JobToCompare["config"]
type Side = readonly [config: Config, identity: string | undefined]

function changedBetween([before, own]: Side, [after, other]: Side, key: ScoreKey): readonly IdentityPart[] {
  const areStored = own !== undefined && other !== undefined
  if (areStored && own === other) return []
  // None if a job does not say how it scored.
  const changed = before === undefined || after === undefined ? [] : scoreIdentity.changed(before, after, key)
  // Only the version of a metric is not in the configuration.
  return areStored && changed.length === 0 ? ["version"] : changed
}

function storedIdentity({ result }: JobToCompare, { task, metric, score }: ScoreKey): string | undefined {
  const found = Object.hasOwn(result.tasks, task) ? result.tasks[task] : result.groups[task]
  return found?.metrics[metric]?.scores[score]?.identity
}

/** Returns a warning if the results of a job have no identities, although its configuration defines the scores. */
export function withoutIdentities(job: JobToCompare, scores: readonly ScoreKey[]): readonly string[] {
  const { name, config } = job
  const defined = scores.filter((key) => config !== undefined && scoreIdentity.digest(config, key) !== undefined)
  if (defined.length === 0 || defined.some((key) => storedIdentity(job, key) !== undefined)) return []
  return [
    `The scores of '${name}' have no identity, because an older version computed them: only its configuration says what they measure.`,
  ]
}

/** A score that measures something else in another job. */
export interface ChangedScore extends ScoreKey {
  readonly changed: readonly IdentityPart[]
}

/** Returns a sentence for each score that measures something else in two jobs, for at most 5 of them. */
export function describeChanged(scores: readonly ChangedScore[], names: readonly [string, string]): readonly string[] {
  const sentences = scores.slice(0, MAX_NAMED).map(({ task, metric, score, changed }) => {
    const what = changed.map((part) => WORDS[part]).join(", ")
    return `'${task}.${metric}.${score}' measures something else in '${names[1]}' than in '${names[0]}' (${what}). Compute the older scores again with \`assay eval rescore\`.`
  })
  const more = scores.length - MAX_NAMED
  return more <= 0 ? sentences : [...sentences, `${more} further scores that measure something else are not listed.`]
}
