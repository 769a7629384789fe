import { checkArgument, checkShare } from "../check-argument.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"

/** With fewer labels, an interval is too wide to be of use. */
export const MIN_LABELS = 10

export interface LabelsNeededOptions {
  /** How far the interval may reach to each side, in the unit of the score. */
  readonly reach: number
  /** The standard deviation of single labels: 0.5 is the largest of values from 0 to 1. That of a judge's scores is not a guess: a constant judge has none. */
  readonly deviation: number
  /** The number of rows that the judge has scored. */
  readonly rows: number
  /** Default 0.95. */
  readonly confidence?: number
}

/**
 * Returns how many labels, drawn at random, give an interval of the mean that reaches no further than `reach`, if the judge's scores say nothing. With a
 * useful judge fewer are enough. The least number is 10, with which `correctMean` has an interval. Returns Infinity if the rows are too few for such an interval even if all of them are labelled.
 * @throws `invalid_request`
 */
export function labelsNeeded({ reach, deviation, rows, confidence = 0.95 }: LabelsNeededOptions): number {
  checkShare("confidence", confidence)
  checkArgument(reach > 0, "reach", reach, "a number above 0")
  checkArgument(deviation >= 0, "deviation", deviation, "a number, 0 or more")
  const needed = Math.ceil(((normalQuantile(0.5 + confidence / 2) * deviation) / reach) ** 2)
  const least = Math.max(needed, MIN_LABELS)
  return least > rows ? Infinity : least
}
