import type { ScoringEnvironment } from "@assay/scoring"

/** What computing scores again uses of the process. */
export interface EvidencePorts extends Pick<ScoringEnvironment, "schemas" | "random" | "sleep"> {
  /** Returns milliseconds, for elapsed times. */
  readonly now: () => number
  readonly signal: AbortSignal
}
