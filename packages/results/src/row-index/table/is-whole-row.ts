import type { EvaluationRow } from "@assay/schemas"
import { isObject } from "@assay/json"
import { isEvaluationRow } from "../../rows/read-rows.ts"

/** The numbers of repeats are stored in 16 bits, those of rows and attempts in 32. */
const MAX_REPEAT = 65_535
const MAX_NUMBER = 2 ** 32 - 1

/** Returns whether a value is a row with every field as an answer of the server needs it. Users can change the rows in their results. */
export function isWholeRow(value: unknown): value is EvaluationRow {
  if (!isEvaluationRow(value)) return false
  const { row_index, repeat, attempt, item, sample, scores, error, labels, unreadable } = value
  return (
    row_index >= 0 &&
    row_index <= MAX_NUMBER &&
    repeat >= 0 &&
    repeat <= MAX_REPEAT &&
    attempt >= 0 &&
    attempt <= MAX_NUMBER &&
    isObject(item) &&
    (isAbsent(sample) || isSample(sample)) &&
    (isAbsent(error) || (isObject(error) && isText(error.code) && isText(error.message))) &&
    hasValues(scores, (found) => hasValues(found, isScore)) &&
    (labels === undefined || hasValues(labels, (found) => hasValues(found, isText))) &&
    (unreadable === undefined ||
      hasValues(unreadable, (found) => isObject(found) && isText(found.reason) && isText(found.raw)))
  )
}

function isSample(value: unknown): boolean {
  if (!isObject(value)) return false
  const { output_text: text, latency_ms: latency, finish_reason: reason } = value
  return (
    (isAbsent(latency) || typeof latency === "number") &&
    (isAbsent(text) || isText(text)) &&
    (isAbsent(reason) || isText(reason))
  )
}

/** Rows of earlier versions have null for a number that is not finite. */
function isScore(value: unknown): boolean {
  return typeof value === "number" || value === "NaN" || value === null
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function isText(value: unknown): value is string {
  return typeof value === "string"
}

function hasValues(value: unknown, isRight: (inner: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(isRight)
}
