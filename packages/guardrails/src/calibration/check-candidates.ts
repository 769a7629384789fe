import { AssayError } from "@assay/schemas"
import type { CalibrationCandidate } from "./calibration-candidate.ts"

/** @throws `invalid_request` where there is nothing to measure, or two have one name */
export function checkCandidates(candidates: readonly CalibrationCandidate[]): void {
  const names = candidates.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (candidates.length === 0 || twice !== undefined) {
    const found = twice === undefined ? "There is no candidate" : `Two candidates are called "${twice}"`
    throw new AssayError("invalid_request", `${found}; name at least one judge to measure, each by a name of its own.`)
  }
}
