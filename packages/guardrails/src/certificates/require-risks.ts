import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { reduceCheck } from "../calibration/asking/judged-prompt.ts"
import type { CalibrationCandidate } from "../calibration/asking/candidate.ts"

/** After this number of verdicts without log-probabilities, a judge is expected to give none later. */
const MAX_VERDICTS_WITHOUT = 10

/** Returns a judge that fails early if its endpoint gives no log-probabilities. @throws `bad_usage` */
export function requireRisks(candidate: CalibrationCandidate): CalibrationCandidate {
  let without = 0
  let isFound = false
  return {
    ...candidate,
    async judge(prompt, options) {
      const check = await candidate.judge(prompt, options)
      const { outcome, risk } = reduceCheck(check)
      isFound ||= risk !== undefined
      if (!isFound && (outcome === "pass" || outcome === "block")) without++
      if (!isFound && without >= MAX_VERDICTS_WITHOUT) checkRisks([candidate])
      return check
    },
  }
}

/** Throws if there is a judge without log-probabilities. @throws `bad_usage` */
export function checkRisks(without: readonly Pick<CalibrationCandidate, "name">[]): void {
  const [first] = without
  if (first === undefined) return
  const message = `The endpoint of '${printable(first.name)}' gives no log-probabilities of its verdicts, which --thresholds needs: ask an endpoint that returns 'logprobs', or leave out --thresholds.`
  throw new AssayError("bad_usage", message)
}
