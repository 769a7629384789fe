import type { EvaluationRow } from "@assay/schemas"
import type { JobToCompare } from "../compare/job-to-compare.ts"
import type { PlannedGate } from "./plan-gates.ts"

/** Returns the score of the same row in other results: the mean of its repeats. Undefined if there is none, or the row asks something else there. */
export type GateReference = (row: Pick<EvaluationRow, "row_index" | "item">) => number | undefined

/** The results that gates name, by the gate. */
export type GateReferences = ReadonlyMap<PlannedGate, GateReference>

/** Opens the results that a gate names. */
export type OpenBaseline = (name: string, signal: AbortSignal) => Promise<JobToCompare>
