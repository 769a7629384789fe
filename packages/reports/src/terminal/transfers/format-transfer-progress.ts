import { formatBytes, formatCount, formatDuration, formatInteger } from "../../text/format-number.ts"

/** The progress of a transfer. */
export interface TransferProgress {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
  /** Whether the totals are final. */
  readonly isTotalKnown: boolean
  /** Bytes that were transferred, without those of files that were already there. */
  readonly movedBytes: number
}

/** Bytes that take as long as the overhead of one file, for the remaining time. */
const FILE_WEIGHT = 16_384

/** Formats the progress of a transfer: `1,200 of 4,000 files  34.1 MiB of 1.2 GiB  45.0 MiB/s  26 s left`. */
export function formatTransferProgress(progress: TransferProgress, elapsed: number): string {
  const { files, bytes, totalFiles, totalBytes, isTotalKnown, movedBytes } = progress
  const more = isTotalKnown ? "" : "+"
  const rate = elapsed > 0 ? (movedBytes / elapsed) * 1000 : 0
  const done = bytes + files * FILE_WEIGHT
  const left = totalBytes + totalFiles * FILE_WEIGHT - done
  const time = isTotalKnown && done > 0 ? `${formatDuration((elapsed / done) * left)} left` : ""
  return [
    `${formatInteger(files)} of ${formatCount(totalFiles, `file${more}`, `files${more}`)}`,
    `${formatBytes(bytes)} of ${formatBytes(totalBytes)}${more}`,
    `${formatBytes(Math.round(rate))}/s`,
    time,
  ]
    .join("  ")
    .trimEnd()
}
