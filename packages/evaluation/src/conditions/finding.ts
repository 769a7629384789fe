import type { ConditionCode } from "@assay/schemas"

/** A condition as one error or one line shows it. */
export interface Finding {
  readonly code: ConditionCode
  /** What happened, with names and values. */
  readonly message: string
  /** In place of the catalogue's, where that speaks of another party. */
  readonly title?: string
  /** What helps here, as whole sentences; told before the catalogue's remedy. */
  readonly advice?: string
  /** Whether the catalogue's remedy is of no help here. */
  readonly isAdviceAll?: boolean
}
