import type { CalibrationCandidate } from "../calibration/asking/candidate.ts"
import type { CalibrationRun } from "../calibration/asking/run-calibration.ts"
import type { JudgedPrompt } from "../calibration/asking/judged-prompt.ts"

/** A configuration that can be certified. The thresholds of one prompt share its answers: they are asked for once. */
export interface CertifiableCandidate {
  readonly name: string
  /** Identifies the whole configuration, with its threshold. */
  readonly digest: string
  /** Null: the configuration decides as it is. */
  readonly threshold: number | null
  /** The digest of the configuration without a threshold. Null: it was not asked for log-probabilities. */
  readonly base: string | null
  /** The judge whose answers count. Its digest is the key of the answers in the journal. */
  readonly asked: CalibrationCandidate
}

/**
 * Returns what a rail with a threshold makes of an answer, as the rail itself does it: the risk decides. Without it a verdict that
 * blocks still blocks, and any other is unreadable.
 */
export function outcomeAt(
  { outcome, risk }: Pick<JudgedPrompt, "outcome" | "risk">,
  threshold: number,
): JudgedPrompt["outcome"] {
  if (outcome !== "pass" && outcome !== "block") return outcome
  if (risk !== undefined) return risk >= threshold ? "block" : "pass"
  return outcome === "block" ? "block" : "unreadable"
}

/** Returns the outcome of a row, or null if it was not asked. */
export type OutcomeOfRow = (row: number) => JudgedPrompt["outcome"] | null

/**
 * Returns the outcomes of one judge at a threshold. Rows with a response are judged by the output rails, which the threshold of the
 * input rail does not change.
 */
export function outcomesAt(
  judge: CalibrationRun["judges"][number] | undefined,
  threshold: number | null,
  hasResponse: (row: number) => boolean,
): OutcomeOfRow {
  return (row) => {
    const outcome = judge?.outcome(row) ?? null
    if (outcome === null || judge === undefined || threshold === null || hasResponse(row)) return outcome
    const risk = judge.risk(row)
    return outcomeAt({ outcome, ...(Number.isNaN(risk) ? {} : { risk }) }, threshold)
  }
}
