import { resultScores } from "@assay/results"
import { AssayError, type LabelRow } from "@assay/schemas"
import { canonicalJson } from "../canonical-json.ts"
import type { BundleLabels, BundleSide } from "../statement/verdict-statement.ts"

/** Labels of people, and the file or fileset that has them. */
export interface LabelsInput {
  readonly name: string
  readonly rows: readonly LabelRow[]
}

/** Returns the labels that a comparison of these results can use, without notes, as a reader of the statement has them. */
export function labelsOfBundle({ name, rows }: LabelsInput, sides: readonly BundleSide[]): BundleLabels {
  const scores = new Set(
    sides.flatMap(({ result }) => resultScores.list(result).map(({ metric, score }) => `${metric}.${score}`)),
  )
  const used = rows.filter(({ metric }) => scores.has(metric)).map(({ note: _note, ...row }) => row)
  return JSON.parse(canonicalJson({ name, rows: used })) as BundleLabels
}

/** The digest of an answer that is known, or can be guessed, names it. */
export function labelsNameTexts(): AssayError {
  const message =
    "A label belongs to the digest of an item and its answer, by which a text can be recognised: make the bundle without --redact, or compare without --corrected."
  return new AssayError("bad_usage", message)
}
