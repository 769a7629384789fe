import type { ScoreValue } from "@assay/schemas"

/** A number as rows keep it. */
export function scoreValue(value: number): ScoreValue {
  return Number.isNaN(value) ? "NaN" : value
}
