import { printable } from "@assay/schemas"
import { createProgressLine } from "../progress-line.ts"
import { formatRowFault, type RowFault } from "../rows/format-row-fault.ts"
import { sayText, type Screen, type TextStream } from "../screen.ts"
import { formatTransferProgress } from "./format-transfer-progress.ts"

/** Shows people the progress of a transfer: a progress line on a terminal, and each problem when it occurs. */
export interface TransferReporter {
  /** A file of the source was listed. */
  onFound(file: { readonly size: number }): void
  /** All files of the source were listed. */
  onAllFound(): void
  /** Bytes have arrived. Negative if they have to be moved again. */
  onBytes(count: number): void
  /** A file is done: moved, unchanged or failed. */
  onSettled(file: { readonly size: number }, moved: boolean): void
  /** An action starts, or would start if this were not a dry run. */
  onAction(action: string, path: string): void
  /** A file was skipped or failed, perhaps because of some of its rows. */
  onTrouble(kind: "skipped" | "failed", path: string, why: string, rows: readonly RowFault[]): void
  /** The actions of a dry run with `--json`; else empty. */
  readonly actions: readonly { readonly action: string; readonly path: string }[]
  end(): void
}

/** Problems that are listed. The summary counts all of them. */
const MAX_LISTED = 20

export interface TransferReporterOptions {
  /** List no problems, because stderr is reserved for the error object. The result lists them. */
  readonly json: boolean
  readonly dryRun: boolean
  /** Returns the location of a file of the source in the notation of the command line. */
  readonly locationOf: (path: string) => string
}

/** Creates a reporter of one transfer. A dry run prints its actions on stdout. */
export function createTransferReporter(
  screen: Screen & { readonly stdout: TextStream },
  { json, dryRun, locationOf }: TransferReporterOptions,
): TransferReporter {
  const line = createProgressLine(screen, formatTransferProgress)
  const progress = { files: 0, bytes: 0, totalFiles: 0, totalBytes: 0, isTotalKnown: false, movedBytes: 0 }
  const actions: { action: string; path: string }[] = []
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
      else sayText(screen.stdout, `${action.padEnd(7)}  ${printable(path)}\n`)
    },
    onTrouble: (kind, path, why, rows) => {
      if (json) return
      line.clear()
      const word = kind === "failed" && dryRun ? "refused" : kind
      const lines =
        rows.length === 0
          ? [`${printable(path)}: ${printable(why)}`]
          : rows.map((row) => formatRowFault(locationOf(path), row))
      for (const text of lines) {
        counts[kind] += 1
        const more = counts[kind] === MAX_LISTED ? " (more are counted, not listed)" : ""
        if (counts[kind] <= MAX_LISTED) sayText(screen.stderr, `${word}  ${text}${more}\n`)
      }
    },
    end: () => line.clear(),
  }
}
