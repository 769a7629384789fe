import type { ScoringEnvironment } from "@assay/scoring"

/** The parts of the process that computing scores again uses. */
export interface EvidencePorts extends Pick<ScoringEnvironment, "schemas" | "random" | "sleep"> {
  /** Returns milliseconds, for elapsed times. */
  readonly now: () => number
  readonly signal: AbortSignal
}
