import type { RowWithIssues } from "@assay/schemas"
import type { Row } from "../rows/row.ts"

/** A row as it is shown. */
export interface ShownRow {
  readonly row: RowWithIssues
  /** The row as JSON; undefined if it can't be read. */
  readonly text: string | undefined
}

/** Shows a row, without what its schema says of it. */
export function showRow(given: Row): ShownRow {
  const { row, row_index, line } = given
  if (given.fault !== null) return unreadable(row_index, line, given.fault)
  const text = jsonText(row)
  if (text === undefined) return unreadable(row_index, line, "is nested too deep to be shown")
  return { row: { row_index, line, row, issues: [...(given.lost ?? [])] }, text }
}

function unreadable(row_index: number, line: number | null, message: string): ShownRow {
  return { row: { row_index, line, row: null, issues: [{ pointer: "", message }] }, text: undefined }
}

/** Undefined if `row` is nested deeper than can be written. */
function jsonText(row: unknown): string | undefined {
  try {
    return JSON.stringify(row)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
