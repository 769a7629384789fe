import { readAnswers } from "@assay/results"
import type { ScoringEnvironment } from "@assay/scoring"
import type { JobEnvironment } from "../job-environment.ts"

/** Returns the environment with the answers of other results, which metrics compare with. Each results are read once. */
export function withAnswers<Environment extends ScoringEnvironment & Pick<JobEnvironment, "openBaseline">>(
  environment: Environment,
): Environment {
  const { openBaseline } = environment
  if (openBaseline === undefined) return environment
  const opened = new Map<string, ReturnType<typeof readAnswers>>()
  return {
    ...environment,
    openAnswers(job, signal) {
      const known = opened.get(job)
      if (known !== undefined) return known
      const answers = openBaseline(job, signal).then((found) => readAnswers(found, signal))
      opened.set(job, answers)
      return answers
    },
  }
}
