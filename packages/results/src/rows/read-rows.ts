import type { EvaluationRow } from "@assay/schemas"
import { type ListSuspects, createNumberFinder, parseExactJson } from "@assay/json"
import { wholeLines } from "./read-lines.ts"

/** Reads the rows of a job as they were answered and scored, in the order in which they were written. */
export interface RowsReader {
  /** Reads every whole row, in batches. An incomplete last line is skipped. */
  read(signal?: AbortSignal): AsyncIterable<readonly EvaluationRow[]>
  /**
   * Reads the same rows without their texts, for callers that only count: numbers, scores, labels and errors, and these fields of items,
   * which can be paths. Absent: it is not faster than `read`.
   */
  readFacts?(fields: readonly string[], signal?: AbortSignal): AsyncIterable<readonly EvaluationRow[]>
  /** Returns whether it is known that the rows are in the order of these tasks, which are all of theirs. Absent or false: it must be looked up. */
  isInOrder?(tasks: readonly string[]): boolean
  /** Reads the same rows as JSON lines. */
  bytes(signal?: AbortSignal): AsyncIterable<Uint8Array>
  /** Reads the bytes from `start` up to `end` of those lines. Absent: they can only be read from the beginning. */
  slice?(start: number, end: number): Promise<Buffer>
}

/** Reads rows from JSON lines, in batches. Skips lines that are not rows, and everything after the last line end. */
export async function* readRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly EvaluationRow[], void> {
  const finder = createNumberFinder()
  for await (const lines of wholeLines(pieces)) {
    const bytes = lines.subarray(0, -1)
    const rows = [...rowsOf(bytes, finder.open(bytes, "text"))]
    if (rows.length > 0) yield rows
  }
}

/** Parses the rows of whole lines. Their numbers stay as they were written in the dataset. */
function* rowsOf(bytes: Buffer, suspectsIn: ListSuspects): Generator<EvaluationRow, void> {
  const text = bytes.toString()
  // Byte offsets equal character offsets only if all characters are ASCII.
  const isAscii = text.length === bytes.length
  let start = 0
  for (const line of text.split("\n")) {
    const row = parseRow(line, isAscii ? suspectsIn(start, start + line.length) : undefined)
    start += line.length + 1
    if (row !== undefined) yield row
  }
}

function parseRow(line: string, suspects: readonly number[] | undefined): EvaluationRow | undefined {
  try {
    const { value } = parseExactJson(line, "text", suspects)
    return isEvaluationRow(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a line of a journal, as a value, is a row. */
export function isEvaluationRow(value: unknown): value is EvaluationRow {
  const row = value as Partial<EvaluationRow> | null
  return (
    typeof row?.task === "string" &&
    Number.isSafeInteger(row.row_index) &&
    Number.isSafeInteger(row.repeat) &&
    Number.isSafeInteger(row.attempt) &&
    typeof row.scores === "object"
  )
}
