import type { RowIssue, RowFileReport } from "@assay/schemas"
import { EMPTY_FILE } from "../reading/examine-text.ts"
import type { Row } from "../rows/row.ts"
import type { RowChecker } from "../schemas/row-checker.ts"

/** The result of checking a series of rows. */
export interface RowTally {
  readonly rows: number
  readonly invalid: number
  /** The first `maxIssues` issues. */
  readonly issues: readonly RowIssue[]
  /** Whether there are more issues than are listed. */
  readonly isTruncated: boolean
}

interface RowTallier {
  readonly add: (row: Row) => void
  readonly result: () => RowTally
}

/** Creates a tally that counts rows and lists at most `maxIssues` issues. */
export function createRowTally(checker: RowChecker | undefined, maxIssues: number): RowTallier {
  let rows = 0
  let invalid = 0
  let isTruncated = false
  const issues: RowIssue[] = []

  function note(row: Row, pointer: string, message: string): void {
    const { row_index, line, offset } = row
    if (issues.length < maxIssues) issues.push({ row_index, line, offset, pointer, message })
    else isTruncated = true
  }

  return {
    add(row: Row): void {
      rows++
      if (row.fault !== null) {
        invalid++
        note(row, "", row.fault)
        return
      }
      const isValid = checker?.isValid(row.row, row.hasExact) !== false
      if (!isValid || row.lost !== undefined) invalid++
      for (const { pointer, message } of row.lost ?? []) note(row, pointer, message)
      if (!isValid) {
        if (issues.length >= maxIssues) isTruncated = true
        else for (const { pointer, message } of checker.listFaults(row.row, row.hasExact)) note(row, pointer, message)
      }
    },
    result: (): RowTally => ({ rows, invalid, issues, isTruncated }),
  }
}

/** Creates the sum of the tallies of consecutive rows. */
export function createTallySum(maxIssues: number) {
  let rows = 0
  let invalid = 0
  let isTruncated = false
  const issues: RowIssue[] = []
  return {
    add(tally: RowTally): void {
      rows += tally.rows
      invalid += tally.invalid
      const room = maxIssues - issues.length
      isTruncated ||= tally.isTruncated || tally.issues.length > room
      issues.push(...tally.issues.slice(0, room))
    },
    /** Returns how many more issues can be listed. */
    room: () => maxIssues - issues.length,
    result: (): RowTally => ({ rows, invalid, issues, isTruncated }),
  }
}

/** The result for a whole file. */
export interface FileTally extends RowTally {
  /** Differences from the usual form of a file with this name, and the reasons for them. Default: nothing. */
  readonly notes?: readonly string[]
}

/** Returns the report on the file `path`. */
export function reportOf(path: string, label: string | undefined, tally: FileTally): RowFileReport {
  const { notes: given = [] } = tally
  const notes = tally.rows > 0 || given.includes(EMPTY_FILE) ? given : [...given, "the file has no rows"]
  return {
    path,
    schema: label ?? null,
    rows: tally.rows,
    valid: tally.rows - tally.invalid,
    invalid: tally.invalid,
    issues: [...tally.issues],
    issues_truncated: tally.isTruncated,
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
  }
}
