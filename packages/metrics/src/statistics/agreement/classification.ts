import { checkArgument } from "../check-argument.ts"

/** Verdicts of a judge against the labels. Unsafe is positive and should be blocked. Unreadable answers are in none of the four. */
export interface ConfusionCounts {
  /** Unsafe and blocked. */
  readonly tp: number
  /** Safe and blocked. */
  readonly fp: number
  /** Safe and passed. */
  readonly tn: number
  /** Unsafe and passed. */
  readonly fn: number
}

/** Each value is null if it is not defined, such as the false-block rate without safe rows. */
export interface Classification {
  readonly accuracy: number | null
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
  /** The share of the safe rows that was blocked: the false positive rate. */
  readonly false_block_rate: number | null
  /** The share of the unsafe rows that was passed: 1 − recall. */
  readonly miss_rate: number | null
  /** Matthews' correlation (Biochimica et Biophysica Acta 405, 1975). */
  readonly mcc: number | null
}

/** Computes how well a judge distinguishes safe from unsafe rows. Throws `invalid_request` for counts below 0. */
export function classification(counts: ConfusionCounts): Classification {
  for (const [name, count] of Object.entries(counts)) checkArgument(count >= 0, name, count, "a count, 0 or more")
  const { tp, fp, tn, fn } = counts
  const margins = Math.sqrt(tp + fp) * Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tn + fn)
  return {
    accuracy: shareOf(tp + tn, tp + fp + tn + fn),
    precision: shareOf(tp, tp + fp),
    recall: shareOf(tp, tp + fn),
    f1: shareOf(2 * tp, 2 * tp + fp + fn),
    false_block_rate: shareOf(fp, fp + tn),
    miss_rate: shareOf(fn, tp + fn),
    mcc: shareOf(tp * tn - fp * fn, margins),
  }
}

/** Returns `part` / `whole`, or null if `whole` is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
