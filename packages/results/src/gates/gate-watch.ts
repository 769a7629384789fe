import { createConfidenceSequence, createSequentialGate, meanOf, type Interval } from "@assay/metrics"
import { AssayError, type EvaluationRow } from "@assay/schemas"
import type { JobGateState } from "@assay/schemas/gates"
import { createRowValues, type RowValues } from "../rows/row-values.ts"
import type { BoundMetric } from "@assay/scoring"
import type { GateReferences } from "./gate-references.ts"
import type { PlannedGate } from "./plan-gates.ts"
import type { RowOrder } from "./row-order.ts"

/** What the gates of a task need besides its rows. */
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
   * only the scores of all rows can tell about them.
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

/** The mean of a score over rows in order. */
interface Sequence {
  add(value: number | undefined): void
  interval(): Interval
  narrow(): void
}

interface Watched {
  readonly metric: string
  readonly score: string
  /** Whether it is the score itself, and not its difference from other results. */
  readonly isScore: boolean
  /** Returns what counts of a row; undefined if it has nothing. */
  readonly valueOf: (row: EvaluationRow) => number | undefined
  /** By place and repeat. */
  readonly values: RowValues
  readonly sequence: Sequence
  /** Whether a value was out of range. */
  isBroken: boolean
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

  const watch = (metric: string, score: string, sequence: Sequence): Watched => ({
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
  })
  const watchGate = (gate: PlannedGate, sequence: Sequence): Watched => {
    const watched = watch(gate.metric, gate.score, sequence)
    const reference = references.get(gate)
    if (reference === undefined) return watched
    return {
      ...watched,
      isScore: false,
      valueOf(row) {
        const [value, other] = [watched.valueOf(row), reference(row)]
        if (value === undefined || other === undefined) return undefined
        return gate.higherIsBetter ? value - other : other - value
      },
    }
  }
  const population = Math.max(1, total)
  const gated = gates.map((gate) => {
    const sequence = createSequentialGate({ ...gate, population })
    return { gate, sequence, watched: watchGate(gate, sequence) }
  })
  const others = metrics.flatMap(({ key, scores }) =>
    scores
      .filter((score) => !gated.some(({ watched: one }) => one.isScore && one.metric === key && one.score === score))
      .map((score) => watch(key, score, createConfidenceSequence({ population }))),
  )
  const all = [...gated.map(({ watched }) => watched), ...others]

  /** Passes the rows on whose predecessors are all done. */
  const advance = (): void => {
    for (; next < total && done[next] === repeats; next++) {
      for (const one of all) take(one, meanOfRepeats(one.values, next))
    }
  }
  /** A score with a value out of range has no interval any more: what is known of its mean assumes the range. */
  const take = (one: Watched, value: number | undefined): void => {
    if (one.isBroken) return
    try {
      one.sequence.add(value)
    } catch {
      one.isBroken = true
      const broken = gated.find(({ watched }) => watched === one)
      if (broken !== undefined) onBroken(broken.gate)
    }
  }
  const stateOf = ({ gate, sequence }: (typeof gated)[number]): JobGateState => {
    const mean = sequence.mean()
    const interval = sequence.count === 0 ? null : sequence.interval()
    return {
      name: gate.name,
      limit: formatLimit(gate),
      value: Number.isNaN(mean) ? "NaN" : mean,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      verdict: sequence.verdict,
      stop: "early",
      alpha: gate.alpha,
      decided_after: sequence.decidedAfter,
    }
  }
  return {
    order,
    references,
    add(row) {
      const place = order.placeOf(row.row_index)
      if (place === undefined) return
      for (const { valueOf, values } of all) {
        const value = valueOf(row)
        if (value !== undefined) values.set(place, row.repeat, value)
      }
      done[place] = (done[place] ?? 0) + 1
      if (place === next) advance()
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

/** Returns the mean of what a row has; undefined if it has nothing. The order in which repeats came does not matter. */
function meanOfRepeats(values: RowValues, place: number): number | undefined {
  const found: number[] = []
  for (let repeat = 0; repeat < values.repeats; repeat++) {
    const value = values.get(place, repeat)
    if (!Number.isNaN(value)) found.push(value)
  }
  return found.length === 0 ? undefined : found.length === 1 ? found[0] : meanOf(found)
}

/** Returns `>= 0.8`. */
export function formatLimit({ limit }: Pick<PlannedGate, "limit">): string {
  return "atLeast" in limit ? `>= ${limit.atLeast}` : `<= ${limit.atMost}`
}

/** A score over all rows at once, such as corpus BLEU, is not the mean of a score of rows. */
function checkRowScore({ name, metric, score }: PlannedGate, metrics: readonly BoundMetric[]): void {
  const corpus = metrics.find(({ key }) => key === metric)?.createCorpusScores?.() ?? {}
  if (!Object.hasOwn(corpus, score)) return
  const message = `The gate on '${name}' can't be early: the score is computed over all rows at once. Leave out "stop".`
  throw new AssayError("invalid_request", message)
}
