import type { LabelReport } from "@assay/schemas"
import { formatCount, formatInteger, formatScore } from "./format-number.ts"

type Estimate = NonNullable<LabelReport["judge"]>

/** A report about labels, of a job or beside a score of its results. */
export type LabelFindings = Omit<LabelReport, "job" | "fileset" | "metric">

/** A mean of a report about labels, with its name and what it was made from. */
export interface LabelEstimate extends Estimate {
  readonly name: string
  readonly from: string
}

/** The name of the mean that counts. */
export const CORRECTED = "judge, corrected by people"

/** Returns the means of a report: the judge, the people, and the judge corrected by people. */
export function labelEstimates({
  judge,
  people,
  corrected,
  verdict,
  rows,
  labels,
}: LabelFindings): readonly LabelEstimate[] {
  const both = `${formatCount(rows, "row")}, ${formatCount(labels, "label")}`
  const check = verdict?.corrected ?? null
  return [
    ...(judge === null ? [] : [{ name: "judge alone", from: formatCount(rows, "row"), ...judge }]),
    ...(people === null ? [] : [{ name: "people alone", from: formatCount(labels, "label"), ...people }]),
    ...(corrected === null ? [] : [{ name: CORRECTED, from: both, ...corrected }]),
    ...(check === null ? [] : [{ name: "check by sensitivity", from: both, ...check }]),
  ]
}

/** Returns what a report says in words. */
export function labelSentences({
  verdict,
  corrected,
  worth,
  labels,
  labels_needed: needed,
  notes,
}: LabelFindings): readonly string[] {
  return [
    ...(verdict === null || labels === 0 ? [] : [ratesOf(verdict)]),
    ...(labels === 0 || verdict?.corrected_reason == null
      ? []
      : [`No check by sensitivity: ${verdict.corrected_reason}`]),
    ...(worth === null || corrected?.interval == null
      ? []
      : [`With the judge, ${formatCount(labels, "label")} are worth ${formatInteger(worth)} without it.`]),
    ...(labels === 0 ? [neededOf(needed)] : []),
    ...notes,
  ]
}

function neededOf(needed: number | null): string {
  return needed === null
    ? "The job has too few rows for an interval of ±5 points, even if all of them are labelled."
    : `${formatInteger(needed)} labels give an interval of ±5 points even if the judge says nothing.`
}

function ratesOf({ positive, sensitivity, specificity }: NonNullable<LabelReport["verdict"]>): string {
  const rate = ({ rate: value, low, high, n }: typeof sensitivity) =>
    value === null
      ? "unknown"
      : `${formatScore(value)} (${formatScore(low)} to ${formatScore(high)}, ${formatCount(n, "label")})`
  return `Of the rows that people label ${formatScore(positive)}, the judge agrees on ${rate(sensitivity)}; of the others, on ${rate(specificity)}.`
}
