import { checkArgument } from "../check-argument.ts"
import { createExactSum } from "../exact/exact-sum.ts"
import type { Interval } from "../intervals/interval.ts"
import type { GateLimit, GateVerdict } from "../significance/gate.ts"
import { createBoundTest } from "./bound-test.ts"
import { createConfidenceSequence, type ConfidenceSequenceOptions, UNLIMITED } from "./confidence-sequence.ts"

export interface SequentialGateOptions extends ConfidenceSequenceOptions {
  /** The limit of the mean of the whole set. It lies within the range. */
  readonly limit: GateLimit
}

/** A limit of the mean of a set that is compared after each row. The rows come in random order. */
export interface SequentialGate {
  /** Takes the value of the next row; undefined if it has none. Throws `invalid_request` outside the range. */
  add(value: number | undefined): void
  /** INCONCLUSIVE until it is decided. Later values do not change a decision. */
  readonly verdict: GateVerdict
  /** Number of values that decided it; null before. */
  readonly decidedAfter: number | null
  /** Number of values so far. */
  readonly count: number
  /** Returns the mean of the values so far; NaN without values. */
  mean(): number
  /** As that of a confidence sequence. */
  narrow(): void
  /** Returns an interval that keeps the limit if the verdict is PASS, and breaks it if the verdict is FAIL. */
  interval(): Interval
}

const ROUNDING = 1e-12

/**
 * Creates a gate that may end the sampling as soon as it is decided. Its verdict is wrong with a probability of at most `alpha`:
 * it shows how the limit compares with the mean of the whole set, as if all rows had been asked. The values of all rows of a limited set always
 * decide it. Throws `invalid_request`.
 */
export function createSequentialGate({ limit, ...options }: SequentialGateOptions): SequentialGate {
  const { population = UNLIMITED, alpha = 0.05, range: [lowest, highest] = [0, 1] } = options
  const isFloor = "atLeast" in limit
  const bound = isFloor ? limit.atLeast : limit.atMost
  checkArgument(bound >= lowest && bound <= highest, "limit", bound, `a number from ${lowest} to ${highest}`)
  const sequence = createConfidenceSequence(options)
  const span = highest - lowest
  const scaled = (bound - lowest) / span
  const above = createBoundTest(scaled, { population, alpha })
  const below = createBoundTest(1 - scaled, { population, alpha })
  /** A mean that differs from the limit only by rounding keeps it. */
  const slack = span * ROUNDING
  let verdict: GateVerdict = "INCONCLUSIVE"
  let decidedAfter: number | null = null
  let rows = 0
  const sum = createExactSum()

  /** Returns the verdict that is certain whatever the other rows say, or that the tests prove. */
  const decide = (): GateVerdict => {
    const { count } = sequence
    if (count === 0) return "INCONCLUSIVE"
    const left = population - rows
    const size = count + left
    const least = (sum.value() + left * lowest) / size
    const most = (sum.value() + left * highest) / size
    if (isFloor) {
      if (above.isAbove || least >= bound - slack) return "PASS"
      return below.isAbove || most < bound - slack ? "FAIL" : "INCONCLUSIVE"
    }
    if (below.isAbove || most <= bound + slack) return "PASS"
    return above.isAbove || least > bound + slack ? "FAIL" : "INCONCLUSIVE"
  }
  return {
    add(value) {
      sequence.add(value)
      rows++
      sum.add(value ?? 0)
      if (decidedAfter !== null) return
      const position = value === undefined ? Number.NaN : (value - lowest) / span
      above.add(Float64Array.of(position))
      below.add(Float64Array.of(1 - position))
      verdict = decide()
      if (verdict !== "INCONCLUSIVE") decidedAfter = sequence.count
    },
    get verdict() {
      return verdict
    },
    get decidedAfter() {
      return decidedAfter
    },
    get count() {
      return sequence.count
    },
    mean: () => sequence.mean(),
    narrow: () => sequence.narrow(),
    interval() {
      const interval = sequence.interval()
      if (verdict === "INCONCLUSIVE") return interval
      const isHigh = (verdict === "PASS") === isFloor
      return onSide(interval, isHigh ? Math.max : Math.min, bound)
    },
  }
}

/** Returns the part of an interval on one side of a bound. */
function onSide(interval: Interval, side: (end: number, bound: number) => number, bound: number): Interval {
  return { ...interval, low: side(interval.low, bound), high: side(interval.high, bound) }
}
