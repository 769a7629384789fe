import { createRowValues, type Interval, meanOf, type RowValues } from "@assay/metrics"
import type { EvaluationRow } from "@assay/schemas"
import type { GateReferences, PlannedGate } from "./plan-gates.ts"

/** The mean of a score over rows in order. */
interface Sequence {
  add(value: number | undefined): void
  interval(): Interval
  narrow(): void
}

/** A score of a task, or its difference from other results, while rows come in. */
export interface WatchedScore {
  readonly metric: string
  readonly score: string
  /** Whether it is the score itself, and not its difference from other results. */
  readonly isScore: boolean
  /** Returns what counts of a row; undefined if it has nothing. */
  readonly valueOf: (row: EvaluationRow) => number | undefined
  /** By position and repeat. */
  readonly values: RowValues
  readonly sequence: Sequence
  /** Whether a value was out of range. */
  isBroken: boolean
}

export function watchScore(metric: string, score: string, sequence: Sequence): WatchedScore {
  return {
    metric,
    score,
    isScore: true,
    valueOf(row) {
      const value = row.scores[metric]?.[score]
      return typeof value === "number" ? value : undefined
    },
    values: createRowValues(),
    sequence,
    isBroken: false,
  }
}

/** Watches the score of a gate, or its difference from the results of `reference`. */
export function watchGate(
  gate: PlannedGate,
  sequence: Sequence,
  reference: ReturnType<GateReferences["get"]>,
): WatchedScore {
  const watched = watchScore(gate.metric, gate.score, sequence)
  if (reference === undefined) return watched
  return {
    ...watched,
    isScore: false,
    valueOf(row) {
      const value = watched.valueOf(row)
      const other = reference(row)
      if (value === undefined || other === undefined) return undefined
      return gate.higherIsBetter ? value - other : other - value
    },
  }
}

/**
 * Adds the mean of a row's repeats to the sequence. Returns false if a value was out of range: then the score has no interval any
 * more, because the bounds of its mean assume the range.
 */
export function addRow(one: WatchedScore, position: number): boolean {
  const value = meanOfRepeats(one.values, position)
  if (one.isBroken) return true
  try {
    one.sequence.add(value)
    return true
  } catch {
    one.isBroken = true
    return false
  }
}

/** Returns the mean of the values of a row; undefined if it has none. The order in which repeats came does not matter. */
function meanOfRepeats(values: RowValues, position: number): number | undefined {
  const found: number[] = []
  for (let repeat = 0; repeat < values.repeats; repeat++) {
    const value = values.get(position, repeat)
    if (!Number.isNaN(value)) found.push(value)
  }
  return found.length === 0 ? undefined : found.length === 1 ? found[0] : meanOf(found)
}
