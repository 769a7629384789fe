import { createConfidenceSequence, createSequentialGate, type Interval, type SequentialGate } from "@assay/metrics"
import { scoreGates } from "@assay/results"
import { AssayError, type EvaluationRow, type JobGateState } from "@assay/schemas"
import { type BoundMetric, scoreIdentity } from "@assay/scoring"
import type { GateReferences, PlannedGate } from "./plan-gates.ts"
import type { RowOrder } from "./open-row-order.ts"
import { addRow, type WatchedScore, watchGate, watchScore } from "./watched-score.ts"

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
  /** Returns what counts of a unit, by gate. */
  valuesOf(row: EvaluationRow): GateValues
  /** Takes a unit that another process has done, and that has these values by gate. The scores without gates then have no interval. */
  addValues(position: number, repeat: number, values: GateValues): void
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
   * because values of the score are not from 0 to 1. If rows are done that follow one that is not, it has the number of rows that it is of.
   */
  interval(metric: string, score: string): OrderedInterval | null
}

/** An interval of all done rows, or of the first ones in their order. */
export interface OrderedInterval extends Interval {
  readonly first_rows?: number
}

/** The value of a unit that counts, by gate. Undefined: it has no score, or none in the results with which it is compared. */
export type GateValues = readonly (number | undefined)[]

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

interface WatchedGate extends GatedSequence {
  readonly watched: WatchedScore
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

  const { gated, all } = watchScores(metrics, gates, { order, references })

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
  const take = (position: number, repeat: number, found: GateValues): void => {
    for (const [at, { values }] of all.entries()) {
      const value = found[at]
      if (value !== undefined) values.set(position, repeat, value)
    }
    done[position] = (done[position] ?? 0) + 1
    if (position === next) advance()
  }
  return {
    order,
    references,
    add(row) {
      const position = order.positionOf(row.row_index)
      if (position === undefined) return
      take(
        position,
        row.repeat,
        all.map(({ valueOf }) => valueOf(row)),
      )
    },
    valuesOf: (row) => gated.map(({ watched }) => watched.valueOf(row)),
    addValues: take,
    get isDecided() {
      return gated.every(({ sequence, watched }) => !watched.isBroken && sequence.decidedAfter !== null)
    },
    states: () => gated.filter(({ watched }) => !watched.isBroken).map((one) => stateOf(one, references.get(one.gate))),
    narrow() {
      for (const { sequence, isBroken } of all) if (!isBroken) sequence.narrow()
    },
    interval(metric, score) {
      const found = all.find((one) => one.isScore && one.metric === metric && one.score === score)
      if (found === undefined || found.isBroken) return null
      const isAhead = done.findLastIndex((count) => count > 0) >= next
      return { ...found.sequence.interval(), ...(isAhead ? { first_rows: next } : {}) }
    },
  }
}

/** Watches the scores of gates, and then all others. */
function watchScores(
  metrics: readonly BoundMetric[],
  gates: readonly PlannedGate[],
  { order, references }: GateBasis,
): { readonly gated: readonly WatchedGate[]; readonly all: readonly WatchedScore[] } {
  const population = Math.max(1, order.total)
  const gated = gates.map((gate) => {
    const { limit, alpha, range, isUnlimited = false } = gate
    const sequence = createSequentialGate({ limit, alpha, range, ...(isUnlimited ? {} : { population }) })
    return { gate, sequence, watched: watchGate(gate, sequence, references.get(gate)) }
  })
  const others = metrics.flatMap(({ key, scores }) =>
    scores
      .filter((score) => !gated.some(({ watched: one }) => one.isScore && one.metric === key && one.score === score))
      .map((score) => watchScore(key, score, createConfidenceSequence({ population }))),
  )
  return { gated, all: [...gated.map(({ watched }) => watched), ...others] }
}

/** Returns the state of a gate after the rows of its sequence. */
function stateOf({ gate, sequence }: GatedSequence, reference: ReturnType<GateReferences["get"]>): JobGateState {
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
    ...changedIn(gate, reference?.changed),
  }
}

/** Says that a score measures something else in the results with which its gate compares it, so that it has no verdict. */
function changedIn(
  { against = "" }: PlannedGate,
  changed: NonNullable<ReturnType<GateReferences["get"]>>["changed"],
): Partial<Pick<JobGateState, "identity" | "reason" | "verdict">> {
  if (changed === undefined) return {}
  const reason = `it ${scoreIdentity.describe(against, changed)}`
  return { identity: { changed: [...changed] }, reason, verdict: null }
}

/** Checks that a score is a mean of rows. A score over all rows at once, such as corpus BLEU, is not. */
function checkRowScore({ name, metric, score }: PlannedGate, metrics: readonly BoundMetric[]): void {
  const corpus = metrics.find(({ key }) => key === metric)?.createCorpusScores?.() ?? {}
  if (!Object.hasOwn(corpus, score)) return
  const message = `The gate on '${name}' can't be early: the score is computed over all rows at once. Leave out "stop".`
  throw new AssayError("invalid_request", message)
}
