import { certifyCandidates, type GateVerdict } from "@assay/metrics"
import { AssayError, type Certificate } from "@assay/schemas"
import { runCalibration, type CalibrationOptions } from "../calibration/asking/run-calibration.ts"
import type { CalibrationCandidate } from "../calibration/asking/candidate.ts"
import { questionDigest } from "../configuration/configuration-digest.ts"
import { journalKey } from "../calibration/calibration-journal.ts"
import type { LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"
import { outcomeAt, outcomesAt } from "./certifiable-candidate.ts"
import { certifiedCandidate } from "./certified-candidate.ts"
import { countFaults, countWithoutVerdict, type FaultCounts } from "./count-faults.ts"
import { distinctRows } from "./distinct-rows.ts"
import { splitRowOf, splitRows, type SplitRow } from "./split-rows.ts"

export interface AskAgainOptions extends Omit<CalibrationOptions, "candidates" | "rows" | "repeat" | "journal"> {
  /** The certified candidate. Its digest must be that of the certificate. */
  readonly candidate: CalibrationCandidate
  /** Opens the rows of the certificate. Called twice. */
  readonly openRows: () => AsyncIterable<LabelledPrompt>
  /** The journal with the stored answers. It is not changed. */
  readonly stored: NonNullable<CalibrationOptions["journal"]>
}

/** The answers of today to the rows that certified a candidate. */
export interface AskedAgain extends FaultCounts {
  readonly rows: number
  /** Rows whose verdict is not the stored one. */
  readonly changed: number
  readonly unreadable: number
  readonly failed: number
  /** The p-value of the hypothesis that a rate is above its limit. */
  readonly p: number
  /** PASS: the answers of today would certify the candidate again. FAIL: a rate is above its limit. */
  readonly verdict: GateVerdict
}

/**
 * Asks the certified candidate again about the rows that certified it, and tests the limits with the new answers. It finds a model
 * that was exchanged behind its endpoint.
 * @throws `bad_usage` if nothing is certified or the candidate is another one; what `runCalibration` throws
 */
export async function askAgain(
  { candidates, chosen, limits, alpha, seed }: Certificate,
  { candidate, openRows, stored, ...options }: AskAgainOptions,
): Promise<AskedAgain> {
  const certified = certifiedCandidate({ candidates, chosen })
  if (certified?.digest !== candidate.digest) {
    throw new AssayError("bad_usage", `The configuration '${candidate.name}' is not the one that is certified.`)
  }
  const split: SplitRow[] = []
  for await (const row of distinctRows(openRows())) split.push(splitRowOf(row, seed))
  const isTuning = splitRows(split)
  const { base, threshold } = certified
  const question = base === undefined ? candidate.digest : questionDigest(base)
  const before: (string | undefined)[] = []
  async function* certifying(): AsyncGenerator<LabelledPrompt, void, undefined> {
    let index = 0
    for await (const row of distinctRows(openRows())) {
      if (isTuning[index++] === true) continue
      const judged = stored.read(journalKey(question, row, 0))
      const isAtThreshold = threshold !== undefined && row.response === undefined
      before.push(judged !== undefined && isAtThreshold ? outcomeAt(judged, threshold) : judged?.outcome)
      yield row
    }
  }
  const run = await runCalibration({ ...options, candidates: [candidate], rows: certifying() })
  const outcomeOf = outcomesAt(run.judges[0], null, () => false)
  const faults = countFaults(run.rows, outcomeOf, () => true)
  const risks = limits.miss === null ? [faults.false_block] : [faults.false_block, faults.miss]
  const bounds = limits.miss === null ? [limits.false_block] : [limits.false_block, limits.miss]
  const { verdict, tests } = certifyCandidates([{ tuning: risks, certification: risks }], { limits: bounds, alpha })
  return {
    ...faults,
    ...countWithoutVerdict(run.rows, outcomeOf),
    rows: before.length,
    changed: before.filter((outcome, row) => outcomeOf(row) !== outcome).length,
    p: tests[0]?.p ?? 1,
    verdict,
  }
}
