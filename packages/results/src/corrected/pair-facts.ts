import { type AssayError, invalidRequest, type LabelRow } from "@assay/schemas"
import { isFlip, type ScoredPair } from "./scored-pairs.ts"

/** Labels of people for scores of compared jobs. */
export interface ComparisonLabels {
  /** The fileset or the file, as messages call it. */
  readonly name: string
  readonly rows: readonly LabelRow[]
}

export interface CorrectPairOptions {
  readonly labels: ComparisonLabels
  /** `metric.score` */
  readonly score: string
  /** The ids of both jobs. */
  readonly jobs: readonly [baseline: string, job: string]
  /** Their names, as messages call them. */
  readonly names: readonly [baseline: string, job: string]
  /** The lowest and the highest possible label, as far as they are known. */
  readonly scale: { readonly low: number | null; readonly high: number | null }
  readonly margin: number
  readonly higherIsBetter: boolean
}

/** The facts that the scores and labels of two jobs show. */
export interface PairFacts {
  readonly range: readonly [low: number, high: number]
  /** Whether every row that differs has both labels, however they were chosen. */
  readonly isComplete: boolean
  /** Whether people see no difference in any of them. */
  readonly isEqual: boolean
  /** Rows on which the judge sees a difference, if all of them have both labels; else 0. */
  readonly knownFlips: number
}

/** Returns whether no label can be outside of known ends. Otherwise no number of labels shows how far the others can be away. */
export function isScaleKnown({ low, high }: CorrectPairOptions["scale"]): boolean {
  return low !== null && high !== null
}

/** Reads all pairs once. Undefined: there are none. @throws `invalid_request` for a label that is not on the scale */
export function factsOf(pairs: Iterable<ScoredPair>, { scale, score }: CorrectPairOptions): PairFacts | undefined {
  let low = Infinity
  let high = -Infinity
  let isComplete = true
  let isEqual = true
  let flips = 0
  let openFlips = 0
  for (const pair of pairs) {
    const { scores, labels, isSame } = pair
    const values = [...scores, ...labels.flatMap((one) => one?.label ?? [])]
    low = Math.min(low, ...values)
    high = Math.max(high, ...values)
    if (!isSame && labels.includes(undefined)) isComplete = false
    if (isFlip(pair)) flips++
    if (isFlip(pair) && labels.includes(undefined)) openFlips++
    if (!isSame && labels[0]?.label !== labels[1]?.label) isEqual = false
    const wrong = labels.find(
      (one) => one !== undefined && (one.label < (scale.low ?? -Infinity) || one.label > (scale.high ?? Infinity)),
    )
    if (wrong !== undefined) throw offScale(wrong.label, scale, score)
  }
  if (low > high) return undefined
  const range = [scale.low ?? low, scale.high ?? high] as const
  return {
    range: range[1] > range[0] ? range : [range[0], range[0] + 1],
    isComplete,
    isEqual: isComplete && isEqual,
    knownFlips: openFlips === 0 && !isComplete ? flips : 0,
  }
}

function offScale(label: number, { low, high }: CorrectPairOptions["scale"], score: string): AssayError {
  const message = `A label of '${score}' is ${label}, and the score has values from ${low ?? "any number"} to ${high ?? "any number"}; correct or remove its line in the file of labels.`
  return invalidRequest(["fileset"], message, "value_error", label)
}
