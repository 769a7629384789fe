import type { PolicyEvaluation } from "@assay/evaluation-files"
import type { JobToCompare } from "../compare/job-to-compare.ts"
import { listScores } from "../scores/list-scores.ts"

/**
 * Returns the largest number of tests that an evaluation has, before its results are known. A gate on these rows is none.
 * @param against the older results. Without them, a comparison of all scores counts as one test.
 */
export function countTests({ gates }: Pick<PolicyEvaluation, "gates">, against?: JobToCompare): number {
  const compared =
    against === undefined ? [] : listScores(against.result).filter(({ found }) => found.stats !== undefined)
  return gates.reduce((sum, gate) => {
    if (gate.kind === "limit") return gate.isOnTheseRows ? sum : sum + 1
    return sum + (gate.name === undefined ? Math.max(1, compared.length) : 1)
  }, 0)
}
