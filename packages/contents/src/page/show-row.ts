import type { RowWithIssues } from "@assay/schemas"
import type { Row } from "../rows/row.ts"
import type { RowChecker } from "../schemas/row-checker.ts"

/** A row with its issues, and how long it is as JSON. */
export function showRow(
  { row, row_index, line, fault }: Row,
  checker: RowChecker | undefined,
): { readonly shown: RowWithIssues; readonly length: number } {
  if (fault !== null) return unreadable(row_index, line, fault)
  const length = jsonLength(row)
  if (length === undefined) return unreadable(row_index, line, "is nested too deep to be shown")
  const issues = checker === undefined || checker.isValid(row) ? [] : [...checker.listFaults(row)]
  return { shown: { row_index, line, row, issues }, length }
}

function unreadable(row_index: number, line: number | null, message: string) {
  return { shown: { row_index, line, row: null, issues: [{ pointer: "", message }] }, length: 0 }
}

/** Undefined where `row` is nested deeper than can be written. */
function jsonLength(row: unknown): number | undefined {
  try {
    return JSON.stringify(row).length
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
