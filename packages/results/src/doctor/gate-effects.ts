import { gate } from "@assay/metrics"
import type { LabelReport } from "@assay/schemas"
import { type GateOutcome, scoreGates } from "../scores/check-gates.ts"
import { findScore, type NamedScore } from "../scores/list-scores.ts"

/** The effect of labels on the verdict of a gate. */
export interface GateEffect {
  /** Such as `>= 0.8`. */
  readonly limit: string
  /** By the mean of the judge. */
  readonly verdict: GateOutcome["verdict"]
  /** By the mean that labels correct. */
  readonly corrected_verdict: GateOutcome["verdict"]
}

/** Returns what a corrected mean does to the gates of a score. Gates that compare corrected means or only these rows are left out. */
export function gateEffects(
  score: Pick<NamedScore, "task" | "metric" | "name">,
  corrected: LabelReport["corrected"] | undefined,
  gates: readonly Pick<GateOutcome, "name" | "limit" | "verdict">[],
): readonly GateEffect[] {
  return gates.flatMap(({ name, limit, verdict }): GateEffect[] => {
    if (findScore([score], name) === undefined) return []
    const parsed = scoreGates.parse(`${name}${limit}`)
    if (parsed.isOnTheseRows === true || parsed.isCorrected === true) return []
    return [{ limit, verdict, corrected_verdict: gate(corrected?.interval ?? null, parsed.limit) }]
  })
}

/** Says what labels do to the gates of a score, such as that one no longer passes. */
export function effectSentences(effects: readonly GateEffect[]): readonly string[] {
  return effects.map(({ limit, verdict, corrected_verdict: corrected }) =>
    verdict === corrected
      ? `The gate ${limit} is ${verdict} by the corrected mean, too.`
      : `The gate ${limit} is ${verdict} by the judge, and ${corrected} by the corrected mean.`,
  )
}
