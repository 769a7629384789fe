import { isAssayError, type AssayError, type ErrorCode } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { folderOf } from "@assay/storage"
import type { SkippedEntry, SkipReason } from "../sides/transfer-side.ts"

/** A file that could not be moved. */
export interface FailedFile {
  readonly path: string
  readonly code: ErrorCode
  readonly message: string
  /** Present if the file was refused because of its rows. */
  readonly rows?: readonly InvalidRow[]
}

/** A row that does not satisfy its schema. */
export interface InvalidRow {
  readonly row_index: number
  /** Counted from 1. Null in Parquet, which has no lines. */
  readonly line: number | null
  readonly offset: number | null
  /** JSON Pointer to the value. */
  readonly pointer: string
  readonly message: string
}

/** The counts and lists of a transfer. */
export interface TransferReport {
  readonly files: number
  readonly bytes: number
  readonly unchanged: number
  readonly deleted: number
  /** Number of files that were not deleted, because other files could not be moved. Absent if there are none. */
  readonly not_deleted?: number
  /** The first `MAX_LISTED` entries that were skipped intentionally. */
  readonly skipped: readonly Pick<SkippedEntry, "path" | "reason">[]
  readonly skipped_counts: Partial<Record<SkipReason, number>>
  /** The first `MAX_LISTED` files that could not be moved. */
  readonly failed: readonly FailedFile[]
  readonly failed_count: number
}

/** Maximum length of the lists of a report, which must fit into memory. The counts include all files. */
const MAX_LISTED = 1000

/** Builds the report of a running transfer, and passes each failed or skipped file to its listener at once. */
export interface TransferRecorder {
  readonly report: TransferReport
  readonly moved: (bytes: number) => void
  readonly unchanged: () => void
  readonly deleted: () => void
  readonly notDeleted: () => void
  readonly skip: (entry: SkippedEntry) => void
  readonly fail: (path: string, error: AssayError) => void
  /** Returns whether `path` or a folder above it was skipped. Skipped files are not listed, but they exist. */
  readonly isLeftOut: (path: string) => boolean
}

/** Receives each file that was skipped or that failed. */
export type TroubleListener = (
  kind: "skipped" | "failed",
  path: string,
  why: string,
  rows: readonly InvalidRow[],
) => void

export function createTransferRecorder(onTrouble: TroubleListener): TransferRecorder {
  const skipped: { path: string; reason: SkipReason }[] = []
  const counts: Partial<Record<SkipReason, number>> = {}
  const failed: FailedFile[] = []
  const leftOut = new Set<string>()
  const report: { -readonly [Key in keyof TransferReport]: TransferReport[Key] } = {
    files: 0,
    bytes: 0,
    unchanged: 0,
    deleted: 0,
    skipped,
    skipped_counts: counts,
    failed,
    failed_count: 0,
  }

  function addFailure(path: string, code: ErrorCode, message: string, rows: readonly InvalidRow[] = []): void {
    report.failed_count += 1
    if (failed.length < MAX_LISTED) failed.push({ path, code, message, ...(rows.length === 0 ? {} : { rows }) })
    onTrouble("failed", path, message, rows)
  }

  return {
    report,
    moved: (bytes) => {
      report.files += 1
      report.bytes += bytes
    },
    unchanged: () => {
      report.unchanged += 1
    },
    deleted: () => {
      report.deleted += 1
    },
    notDeleted: () => {
      report.not_deleted = (report.not_deleted ?? 0) + 1
    },
    skip: ({ path, reason, error }) => {
      leftOut.add(path.replace(/\/$/, ""))
      if (!SKIPPED_ON_PURPOSE.has(reason)) return addFailure(path, ...explain(path, reason, error))
      counts[reason] = (counts[reason] ?? 0) + 1
      if (skipped.length < MAX_LISTED) skipped.push({ path, reason })
      onTrouble("skipped", path, reason, [])
    },
    fail: (path, error) => addFailure(path, error.code, error.message, invalidRowsOf(error)),
    isLeftOut: (path) => {
      if (leftOut.size === 0) return false
      for (let at = path; at !== ""; at = folderOf(at)) if (leftOut.has(at)) return true
      return false
    },
  }
}

/** Returns the invalid rows that an error lists. Ignores issues of an unknown form. */
function invalidRowsOf({ issues }: AssayError): readonly InvalidRow[] {
  return issues.flatMap(({ type, loc, msg, ctx = {} }) => {
    const [, row_index] = loc
    const { line, offset, pointer } = ctx
    if (type !== "invalid_row" || typeof row_index !== "number" || typeof pointer !== "string") return []
    return [{ row_index, line: numberOrNull(line), offset: numberOrNull(offset), pointer, message: msg }]
  })
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null
}

/** Entries that are skipped intentionally. Every other skipped entry is a failure. */
const SKIPPED_ON_PURPOSE = new Set<SkipReason>(["link outside", "broken link", "link loop", "special file"])

function explain(path: string, reason: SkipReason, error: unknown): [code: ErrorCode, message: string] {
  if (isAssayError(error)) return [error.code, error.message]
  const shown = printable(path)
  if (reason === "odd name") return ["bad_path", `The name of '${shown}' is not valid UTF-8: rename it.`]
  return [
    "local_file_failed",
    `Can't read '${shown}': ${error instanceof Error ? error.message : "the system refused it"}.`,
  ]
}
