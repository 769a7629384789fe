import type { Measurement } from "../bench.ts"

/** Promises of one kind of decision, and how they are simulated. */
export interface GuaranteeSection {
  readonly title: string
  /** Describes the simulated data, as Markdown. Links are relative to `docs`. */
  readonly method: string
  readonly simulate: () => Promise<readonly Measurement[]>
}

/** A section with its figures. */
export interface SimulatedSection extends Pick<GuaranteeSection, "title" | "method"> {
  readonly measurements: readonly Measurement[]
}
