export interface Interval {
  readonly low: number
  readonly high: number
  /** How often such an interval contains the true value, such as 0.95. */
  readonly confidence: number
  readonly method: IntervalMethod
}

/**
 * `wilson` and `clopper-pearson` are intervals of a rate, `newcombe` and `combined-intervals` of the difference of two rates or means,
 * `lang-reiczigel` of a rate that is corrected for wrong verdicts, `fleiss-cohen-everitt` of a kappa, `fiducial` of a kappa or an alpha by
 * tables that could have given the seen one, and `fisher-z` of a correlation. The others are
 * intervals of a mean: `skew-adjusted-t` by Student's t and the skewness of the values, `bootstrap` by resampling, also of an alpha,
 * `bayesian-bootstrap` by random weights of labels or rows, with those that were not seen inside,
 * `bootstrap-expansion` by a formula for the percentiles that resampling would find, and `betting` by a test that holds for any
 * distribution of bounded values: at least one of its ends is found so.
 */
export type IntervalMethod =
  | "wilson"
  | "clopper-pearson"
  | "newcombe"
  | "combined-intervals"
  | "fleiss-cohen-everitt"
  | "fiducial"
  | "fisher-z"
  | "skew-adjusted-t"
  | "lang-reiczigel"
  | "bootstrap"
  | "bayesian-bootstrap"
  | "bootstrap-expansion"
  | "betting"

export interface IntervalOptions {
  /** Default 0.95. */
  readonly confidence?: number
}
