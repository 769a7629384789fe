import { createConfidenceSequence, createSequentialGate, type Interval, type SequentialGate } from "@assay/metrics"
import { scoreGates } from "@assay/results"
import { AssayError, type EvaluationRow, type JobGateState } from "@assay/schemas"
import type { BoundMetric } from "@assay/scoring"
import type { GateReferences, PlannedGate } from "./plan-gates.ts"
import type { RowOrder } from "./open-row-order.ts"
import { addRow, watchGate, watchScore } from "./watched-score.ts"

/** The inputs of the gates of a task, besides its rows. */
export interface GateBasis {
  readonly order: RowOrder
  /** The results with which gates compare rows. */
  readonly references: GateReferences
}

/** The early gates of a task while its rows come in. */
export interface GateWatch extends GateBasis {
  /** Takes a unit that is done. Each unit is taken once. */
  add(row: EvaluationRow): void
  /** Whether all gates are decided. */
  readonly isDecided: boolean
  /**
   * Returns the gates after the rows of which all predecessors in the order are done. Gates with a value out of range are left out:
   * only the scores of all rows can decide them.
   */
  states(): readonly JobGateState[]
  /** Narrows all intervals to what the rows allow. Called at the end. */
  narrow(): void
  /**
   * Returns the interval of a mean score, which is valid although the number of rows depends on the scores; null if there is none,
   * because values of the score are not from 0 to 1.
   */
  interval(metric: string, score: string): Interval | null
}

/** The part of a task that its gates need. */
interface WatchedTask {
  readonly metrics: readonly BoundMetric[]
  readonly repeats: number
}

/** A gate, and the sequence that decides it. */
interface GatedSequence {
  readonly gate: PlannedGate
  readonly sequence: SequentialGate
}

/**
 * Creates the watch of a task that is over when `gates` are decided. Memory: 2 bytes a row, 8 for each score and repeat, and as
 * much again in reserve.
 * @throws `invalid_request` for a gate on a score that rows do not have
 */
export function createGateWatch(
  { metrics, repeats }: WatchedTask,
  gates: readonly PlannedGate[],
  { order, references }: GateBasis,
  onBroken: (gate: PlannedGate) => void,
): GateWatch {
  const { total } = order
  for (const gate of gates) checkRowScore(gate, metrics)
  const done = new Uint16Array(total)
  let next = 0

  const population = Math.max(1, total)
  const gated = gates.map((gate) => {
    const sequence = createSequentialGate({ ...gate, population })
    return { gate, sequence, watched: watchGate(gate, sequence, references.get(gate)) }
  })
  const others = metrics.flatMap(({ key, scores }) =>
    scores
      .filter((score) => !gated.some(({ watched: one }) => one.isScore && one.metric === key && one.score === score))
      .map((score) => watchScore(key, score, createConfidenceSequence({ population }))),
  )
  const all = [...gated.map(({ watched }) => watched), ...others]

  /** Adds the rows whose predecessors are all done to the sequences. */
  const advance = (): void => {
    for (; next < total && done[next] === repeats; next++) {
      for (const one of all) {
        if (addRow(one, next)) continue
        const broken = gated.find(({ watched }) => watched === one)
        if (broken !== undefined) onBroken(broken.gate)
      }
    }
  }
  return {
    order,
    references,
    add(row) {
      const position = order.positionOf(row.row_index)
      if (position === undefined) return
      for (const { valueOf, values } of all) {
        const value = valueOf(row)
        if (value !== undefined) values.set(position, row.repeat, value)
      }
      done[position] = (done[position] ?? 0) + 1
      if (position === next) advance()
    },
    get isDecided() {
      return gated.every(({ sequence, watched }) => !watched.isBroken && sequence.decidedAfter !== null)
    },
    states: () => gated.filter(({ watched }) => !watched.isBroken).map(stateOf),
    narrow() {
      for (const { sequence, isBroken } of all) if (!isBroken) sequence.narrow()
    },
    interval(metric, score) {
      const found = all.find((one) => one.isScore && one.metric === metric && one.score === score)
      return found === undefined || found.isBroken ? null : found.sequence.interval()
    },
  }
}

/** Returns the state of a gate after the rows of its sequence. */
function stateOf({ gate, sequence }: GatedSequence): JobGateState {
  const mean = sequence.mean()
  const interval = sequence.count === 0 ? null : sequence.interval()
  return {
    name: gate.name,
    limit: scoreGates.formatLimit(gate.limit),
    value: Number.isNaN(mean) ? "NaN" : mean,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    verdict: sequence.verdict,
    stop: "early",
    alpha: gate.alpha,
    decided_after: sequence.decidedAfter,
  }
}

/** Checks that a score is a mean of rows. A score over all rows at once, such as corpus BLEU, is not. */
function checkRowScore({ name, metric, score }: PlannedGate, metrics: readonly BoundMetric[]): void {
  const corpus = metrics.find(({ key }) => key === metric)?.createCorpusScores?.() ?? {}
  if (!Object.hasOwn(corpus, score)) return
  const message = `The gate on '${name}' can't be early: the score is computed over all rows at once. Leave out "stop".`
  throw new AssayError("invalid_request", message)
}
