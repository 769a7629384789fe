import type { JointVerdict, LevelledTest } from "@assay/metrics"
import type { ReleaseGateState } from "@assay/schemas"

/** A gate of a release before it is decided with the others. */
export interface GateToDecide {
  /** The values that the gate compares. */
  readonly state: Omit<ReleaseGateState, "verdict" | "rows_needed">
  /** The verdict that no interval decides, such as one on these rows. `open`: it has none, because of the reason in `state`. */
  readonly fixed?: ReleaseGateState["verdict"]
  /** Undefined if `fixed` is given. */
  readonly test?: LevelledTest
  /** Notes for readers of the verdict. */
  readonly warning?: string
  /** Returns about how many rows would decide the gate at a level; null if no number would. */
  readonly rowsNeeded?: (level: number) => number | null
}

/** Returns the state of a gate that was decided with others. */
export function decidedGate(
  { state, fixed, rowsNeeded }: GateToDecide,
  joint: JointVerdict | undefined,
): ReleaseGateState {
  const verdict = joint === undefined ? (fixed === undefined ? "INCONCLUSIVE" : fixed) : joint.verdict
  const isOpen = joint?.verdict === "INCONCLUSIVE"
  return { ...state, verdict, rows_needed: isOpen ? (rowsNeeded?.(joint.level) ?? null) : null }
}
