import { setImmediate } from "node:timers/promises"
import { AssayError, type EvaluationRow, type ScoreValue } from "@assay/schemas"
import { parseJsonExactly } from "@assay/json"
import type { RowLines } from "./journal-source.ts"
import type { LineRange } from "./table/row-table.ts"

/** Bytes of the rows of a page, both jobs together. Writing the answer takes 10 ms for each mebibyte, in one piece. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024
/** Characters of rows that are parsed in one piece. */
const UNBROKEN = 128 * 1024

/** Reads rows from the journal of a job. @throws `rows_gone` */
export async function readRowsAt(
  { job, source }: RowLines,
  ranges: readonly LineRange[],
): Promise<readonly EvaluationRow[]> {
  const rows: EvaluationRow[] = []
  let unbroken = 0
  for (const line of await source.lines(ranges)) {
    if (line === "") throw rowsGone(job)
    rows.push(withReadableScores(parseJsonExactly(line) as EvaluationRow))
    unbroken += line.length
    if (unbroken < UNBROKEN) continue
    unbroken = 0
    // Requests of others are answered in between.
    await setImmediate()
  }
  return rows
}

/** Returns a row in which a score that the journal has as null is NaN. */
function withReadableScores(row: EvaluationRow): EvaluationRow {
  const metrics = Object.entries(row.scores)
  if (!metrics.some(([, values]) => Object.values<unknown>(values).includes(null))) return row
  const readable = (values: Readonly<Record<string, ScoreValue | null>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? ("NaN" as const)]))
  return { ...row, scores: Object.fromEntries(metrics.map(([metric, values]) => [metric, readable(values)])) }
}

/** Returns the first rows that are not too large together, at least one. */
export function firstThatFit<T>(rows: readonly T[], bytesOf: (row: T) => number): readonly T[] {
  let bytes = 0
  const end = rows.findIndex((row) => (bytes += bytesOf(row)) > MAX_PAGE_BYTES)
  return end === -1 ? rows : rows.slice(0, Math.max(1, end))
}

/** Makes the error of a job whose rows were removed. */
export function rowsGone(job: string, details = "", cause?: unknown): AssayError {
  const message = `The rows of evaluation job '${job}' are no longer there${details}.`
  return new AssayError("rows_gone", message, { context: { job }, cause })
}
