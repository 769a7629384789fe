export interface Interval {
  readonly low: number
  readonly high: number
  /** How often an interval made like this holds the true value: 0.95. */
  readonly confidence: number
  readonly method: IntervalMethod
}

/**
 * `wilson`, `clopper-pearson`: of a rate. `newcombe`: of the difference of two rates over the same rows. `skew-adjusted-t`: of a
 * mean, by Student's t and how skewed the values are. `bootstrap`: of a mean, by resampling. `bootstrap-expansion`: the same
 * percentiles by formula, where resampling would add nothing but time.
 */
export type IntervalMethod =
  | "wilson"
  | "clopper-pearson"
  | "newcombe"
  | "skew-adjusted-t"
  | "bootstrap"
  | "bootstrap-expansion"

export interface IntervalOptions {
  /** 0.95 when not given. */
  readonly confidence?: number
}
