import { isAssayError, type AssayError, type ErrorCode } from "@assay/schemas/errors"
import { printable } from "../output/printable.ts"
import { isSkippedOnPurpose, type SkippedEntry, type SkipReason } from "./skipped-entry.ts"
import { folderOf } from "./split-path.ts"

export interface FailedFile {
  readonly path: string
  readonly code: ErrorCode
  readonly message: string
  /** Of a file that was refused for its rows. */
  readonly rows?: readonly InvalidRow[]
}

/** A fault in a row of a file. */
export interface InvalidRow {
  readonly row_index: number
  /** From 1; null in Parquet, which has no lines. */
  readonly line: number | null
  readonly offset: number | null
  /** JSON Pointer to the value. */
  readonly pointer: string
  readonly message: string
}

/** What a transfer has done so far. */
export interface TransferReport {
  readonly files: number
  readonly bytes: number
  readonly unchanged: number
  readonly deleted: number
  /** Entries that were left out on purpose; the first `MAX_LISTED` of them. */
  readonly skipped: readonly Pick<SkippedEntry, "path" | "reason">[]
  readonly skipped_counts: Partial<Record<SkipReason, number>>
  /** Files that should have travelled; the first `MAX_LISTED` of them. */
  readonly failed: readonly FailedFile[]
  readonly failed_count: number
}

/** More are counted and not listed: a report must fit into memory and on a screen. */
export const MAX_LISTED = 1000

/** Keeps the report of a running transfer and tells every trouble as it comes. */
export interface TransferRecorder {
  readonly report: TransferReport
  readonly moved: (bytes: number) => void
  readonly unchanged: () => void
  readonly deleted: () => void
  readonly skip: (entry: SkippedEntry) => void
  readonly fail: (path: string, error: AssayError) => void
  /** Whether `path`, or a folder above it, was left out: what a side doesn't show isn't missing there. */
  readonly isLeftOut: (path: string) => boolean
}

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
  const report = {
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
    skip: (entry) => {
      const { path, reason, error } = entry
      leftOut.add(path.replace(/\/$/, ""))
      if (!isSkippedOnPurpose(entry)) return addFailure(path, ...explain(path, reason, error))
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

/** The rows that an error names, as far as it names them in a form that is ours. */
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

function explain(path: string, reason: SkipReason, error: unknown): [code: ErrorCode, message: string] {
  if (isAssayError(error)) return [error.code, error.message]
  const shown = printable(path)
  if (reason === "odd name") return ["bad_path", `The name of '${shown}' is not valid UTF-8: rename it.`]
  return [
    "local_file_failed",
    `Can't read '${shown}': ${error instanceof Error ? error.message : "the system refused it"}.`,
  ]
}
