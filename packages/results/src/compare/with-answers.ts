import type { ScoringEnvironment } from "@assay/scoring"
import { groupJobs } from "./group-jobs.ts"
import type { JobToCompare } from "./job-to-compare.ts"
import { readAnswers } from "./read-answers.ts"
import { readReferences } from "./read-references.ts"

interface OpensOthers {
  readonly openBaseline?: ((name: string, signal: AbortSignal) => Promise<JobToCompare>) | undefined
}

/** Returns the environment with the answers of other results, which metrics compare with. Each results are read once. */
function withAnswers<Environment extends OpensOthers & Pick<ScoringEnvironment, "openAnswers">>(
  environment: Environment,
): Environment {
  const { openBaseline } = environment
  if (openBaseline === undefined) return environment
  const opened = new Map<string, ReturnType<typeof readAnswers>>()
  return {
    ...environment,
    openAnswers(job: string, signal: AbortSignal) {
      const known = opened.get(job)
      if (known !== undefined) return known
      const answers = openBaseline(job, signal).then((found) => readAnswers(found, signal))
      opened.set(job, answers)
      return answers
    },
  }
}

/**
 * The results of several jobs: the scores that gates compare with, the answers that judges compare with, and the groups of jobs that paired tests do not tell apart,
 * for leaderboards.
 */
export const otherResults = Object.freeze({ readReferences, readAnswers, withAnswers, groupJobs })
