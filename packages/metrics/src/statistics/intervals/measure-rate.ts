import type { IntervalOptions } from "./interval.ts"
import { wilsonInterval } from "./wilson-interval.ts"

/** How often something happened, as reports write it, with Wilson's interval. */
export interface MeasuredRate {
  readonly count: number
  readonly n: number
  /** Null where n is 0; the interval is then everything, from 0 to 1. */
  readonly rate: number | null
  readonly low: number
  readonly high: number
}

/** The rate of `count` among `n` independent rows, and where the true one lies. Throws `invalid_request`. */
export function measureRate(count: number, n: number, options: IntervalOptions = {}): MeasuredRate {
  const { low, high } = wilsonInterval(count, n, options)
  return { count, n, rate: n === 0 ? null : count / n, low, high }
}
