import type { CalibrationCandidate } from "../calibration/asking/candidate.ts"
import type { LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"
import { runCalibration, type CalibrationOptions, type CalibrationRun } from "../calibration/asking/run-calibration.ts"

/** Runs a calibration with the given rows. */
export function measure(
  candidates: readonly CalibrationCandidate[],
  rows: readonly LabelledPrompt[],
  options: Partial<CalibrationOptions> = {},
): Promise<CalibrationRun> {
  return runCalibration({ candidates, rows: streamOf(rows), now: () => 0, ...options })
}

/** Creates `safe` and `unsafe` prompts, named `safe 0`, `unsafe 0` and so on. */
export function numberedPrompts(safe: number, unsafe: number): readonly LabelledPrompt[] {
  const some = (label: LabelledPrompt["label"], count: number) =>
    Array.from({ length: count }, (_, index): LabelledPrompt => ({ prompt: `${label} ${index}`, label }))
  return [...some("safe", safe), ...some("unsafe", unsafe)]
}

async function* streamOf(rows: readonly LabelledPrompt[]): AsyncGenerator<LabelledPrompt> {
  yield* rows
}
