import type { Context } from "../context.ts"
import type { TroubleListener } from "@assay/transfer"
import type { TransferAction, TransferListener } from "@assay/transfer"
import { formatRowFault } from "./format-row-fault.ts"
import { printable } from "@assay/schemas/printable"
import { createProgressLine, formatProgress } from "./progress-line.ts"
import { sayText } from "./write-text.ts"

/** Shows people the progress of a transfer: a progress line on a terminal, and each problem when it occurs. */
export interface TransferReporter extends TransferListener {
  readonly onTrouble: TroubleListener
  /** What a dry run with `--json` would do; else empty. */
  readonly actions: readonly { readonly action: TransferAction; readonly path: string }[]
  end(): void
}

/** Problems that are listed. The summary counts all of them. */
const MAX_LISTED = 20

export interface ReporterOptions {
  readonly json?: boolean
  readonly dryRun?: boolean
  /** Returns the place of a file of the source in the notation of the command line. */
  readonly placeOf: (path: string) => string
}

export function createTransferReporter(
  context: Context,
  { json = false, dryRun = false, placeOf }: ReporterOptions,
): TransferReporter {
  const line = createProgressLine(context, formatProgress)
  const progress = { files: 0, bytes: 0, totalFiles: 0, totalBytes: 0, isTotalKnown: false, movedBytes: 0 }
  const actions: { action: TransferAction; path: string }[] = []
  const counts = { skipped: 0, failed: 0 }

  return {
    actions,
    onFound: ({ size }) => {
      progress.totalFiles += 1
      progress.totalBytes += size
      line.show(progress)
    },
    onAllFound: () => {
      progress.isTotalKnown = true
    },
    onBytes: (count) => {
      progress.bytes += count
      progress.movedBytes += count
      line.show(progress)
    },
    onSettled: ({ size }, moved) => {
      progress.files += 1
      if (!moved) progress.bytes += size
      line.show(progress)
    },
    onAction: (action, path) => {
      if (!dryRun) return
      if (json) actions.push({ action, path })
      else sayText(context.stdout, `${action.padEnd(7)}  ${printable(path)}\n`)
    },
    onTrouble: (kind, path, why, rows) => {
      // With --json, stderr is reserved for the error object. The result lists the problems.
      if (json) return
      line.clear()
      const word = kind === "failed" && dryRun ? "refused" : kind
      const lines =
        rows.length === 0
          ? [`${printable(path)}: ${printable(why)}`]
          : rows.map((row) => formatRowFault(placeOf(path), row))
      for (const text of lines) {
        counts[kind] += 1
        const more = counts[kind] === MAX_LISTED ? " (more are counted, not listed)" : ""
        if (counts[kind] <= MAX_LISTED) sayText(context.stderr, `${word}  ${text}${more}\n`)
      }
    },
    end: () => line.clear(),
  }
}
