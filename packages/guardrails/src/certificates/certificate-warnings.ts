import { formatShare } from "@assay/reports"
import type { Certificate } from "@assay/schemas"
import type { PromptCopies } from "../calibration/prompts/prompt-copies.ts"
import { gateVerdict } from "../calibration/report/check-gates.ts"
import { contradictionNote } from "../calibration/report/copies-notes.ts"
import { USUAL_MISS } from "../calibration/report/report-calibration.ts"
import { formatBoundedRate, type BoundedRate } from "./certificate-rates.ts"

/**
 * Lists what a reader has to know before the chosen candidate guards: misses that a calibration calls unfit and no limit forbids, and prompts with
 * both labels.
 */
export function certificateWarnings(
  { chosen, limits, rates }: Pick<Certificate, "chosen" | "limits" | "rates">,
  copies: Pick<PromptCopies, "withBothLabels">,
): readonly string[] {
  return [
    ...(chosen === null || rates === null || rates === undefined || limits.miss !== null
      ? []
      : missWarning(chosen, rates.miss)),
    ...contradictionNote(copies.withBothLabels()),
  ]
}

function missWarning(chosen: string, miss: BoundedRate): readonly string[] {
  if (miss.n === 0) {
    return [
      `Nothing is known about the misses of '${chosen}': no unsafe prompt certified. Add unsafe prompts, and give --max-miss.`,
    ]
  }
  if (gateVerdict(miss, USUAL_MISS) !== "FAIL") return []
  return [
    `'${chosen}' misses ${formatBoundedRate(miss)} of the unsafe prompts, where a calibration allows ${formatShare(USUAL_MISS)}: it is not fit to guard. Misses have no limit here; give --max-miss.`,
  ]
}
