import { createHash } from "node:crypto"
import { certifyCandidates } from "@assay/metrics"
import type { Certificate } from "@assay/schemas"
import type { CalibrationRun } from "../calibration/asking/run-calibration.ts"
import { outcomesAt, type CertifiableCandidate, type OutcomeOfRow } from "./certifiable-candidate.ts"
import { countFaults, countWithoutVerdict, type FaultCounts } from "./count-faults.ts"
import { splitRows, type SplitRow } from "./split-rows.ts"

/** The answers to all questions, and what is to be certified with them. */
export interface AnsweredQuestions {
  readonly run: Pick<CalibrationRun, "rows" | "judges">
  /** The digests of the judges of `run`, in their order. */
  readonly asked: readonly string[]
  readonly split: readonly SplitRow[]
  readonly candidates: readonly CertifiableCandidate[]
}

export interface CertificateLimits {
  readonly maxFalseBlock: number
  readonly maxMiss: number | undefined
  readonly alpha: number
}

/**
 * Certifies candidates by the answers to their questions. Each pair of a prompt and a threshold is a candidate of one family: the tuning rows
 * order all of them, and the guarantee holds for all of them together. The false blocks of one prompt fall with its threshold, so that its
 * thresholds are tested from the most lenient one on if only false blocks have a limit.
 */
export function certifyRun(
  { run, asked, split, candidates }: AnsweredQuestions,
  { maxFalseBlock, maxMiss, alpha }: CertificateLimits,
): Pick<Certificate, "verdict" | "candidates" | "answers_digest"> {
  const isTuning = splitRows(split)
  const hasResponse = (row: number) => split[row]?.hasResponse === true
  const counted = candidates.map((candidate) => {
    const judge = run.judges[asked.indexOf(candidate.asked.digest)]
    const outcomeOf = outcomesAt(judge, candidate.threshold, hasResponse)
    return {
      outcomeOf,
      faults: {
        tuning: countFaults(run.rows, outcomeOf, (row) => isTuning[row] === true),
        certification: countFaults(run.rows, outcomeOf, (row) => isTuning[row] === false),
        ...countWithoutVerdict(run.rows, outcomeOf),
      },
    }
  })
  const limits = [maxFalseBlock, ...(maxMiss === undefined ? [] : [maxMiss])]
  const risksOf = ({ false_block, miss }: FaultCounts) => (maxMiss === undefined ? [false_block] : [false_block, miss])
  const { verdict, tests } = certifyCandidates(
    counted.map(({ faults }) => ({ tuning: risksOf(faults.tuning), certification: risksOf(faults.certification) })),
    { limits, alpha },
  )
  const tested = tests.flatMap(({ candidate, result, p }) => {
    const configuration = candidates[candidate]
    const counts = counted[candidate]
    if (configuration === undefined || counts === undefined) return []
    const { name, digest, threshold, base } = configuration
    return [
      {
        outcomeOf: counts.outcomeOf,
        entry: {
          name,
          digest,
          ...(base === null ? {} : { base }),
          ...(threshold === null ? {} : { threshold }),
          result,
          p,
          ...counts.faults,
        },
      },
    ]
  })
  return {
    verdict,
    candidates: tested.map(({ entry }) => entry),
    // In the order of the tests, so that it does not depend on the order in which the candidates were named.
    answers_digest: answersDigest(
      run,
      tested.map(({ outcomeOf }) => outcomeOf),
    ),
  }
}

function answersDigest({ rows }: AnsweredQuestions["run"], outcomes: readonly OutcomeOfRow[]): string {
  const digest = createHash("sha256")
  for (let row = 0; row < rows.length; row++) {
    digest.update(`${JSON.stringify(outcomes.map((outcomeOf) => outcomeOf(row)))}\n`)
  }
  return digest.digest("hex")
}
