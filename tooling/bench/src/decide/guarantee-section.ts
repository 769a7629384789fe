import type { Measurement } from "../bench.ts"

/** Promises of one kind of decision, and how they are simulated. */
export interface GuaranteeSection {
  readonly title: string
  /** What is drawn, as Markdown with links that begin in `docs`. */
  readonly method: string
  readonly simulate: () => Promise<readonly Measurement[]>
}

/** A section with its figures. */
export interface SimulatedSection extends Pick<GuaranteeSection, "title" | "method"> {
  readonly measurements: readonly Measurement[]
}
