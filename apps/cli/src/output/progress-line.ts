import type { Context } from "../context.ts"
import { formatBytes, formatCount, formatDuration } from "@assay/reports/terminal"
import { printable } from "@assay/schemas/printable"

/** The progress of a transfer. */
export interface Progress {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
  /** Whether the totals are final. */
  readonly isTotalKnown: boolean
  /** Bytes that were transferred, without those of files that were already there. */
  readonly movedBytes: number
}

/** One line on the terminal that is overwritten. Without a terminal nothing is written. */
export interface ProgressLine<P> {
  show(progress: P): void
  /** Removes the line, so that other text can be written. */
  clear(): void
}

const REDRAW_MS = 100
const CLEAR = "\r\u001B[K"

/** Bytes that take as long as the overhead of one file, for the remaining time. */
const FILE_WEIGHT = 16_384

/**
 * Creates a progress line.
 * @param format formats the progress after `elapsed` milliseconds
 */
export function createProgressLine<P>(
  { stderr, isTerminal, columns, now }: Context,
  format: (progress: P, elapsed: number) => string,
): ProgressLine<P> {
  if (!isTerminal.stderr) return { show: () => undefined, clear: () => undefined }
  const start = now()
  let drawn = start
  let isShown = false
  return {
    show: (progress) => {
      const time = now()
      if (time - drawn < REDRAW_MS) return
      drawn = time
      isShown = true
      stderr.write(CLEAR + printable(format(progress, time - start)).slice(0, Math.max(0, columns() - 1)))
    },
    clear: () => {
      if (isShown) stderr.write(CLEAR)
      isShown = false
    },
  }
}

/** Formats the progress of a transfer: `1,200 of 4,000 files  34.1 MiB of 1.2 GiB  45.0 MiB/s  26 s left`. */
export function formatProgress(progress: Progress, elapsed: number): string {
  const { files, bytes, totalFiles, totalBytes, isTotalKnown, movedBytes } = progress
  const more = isTotalKnown ? "" : "+"
  const rate = elapsed > 0 ? (movedBytes / elapsed) * 1000 : 0
  const done = bytes + files * FILE_WEIGHT
  const left = totalBytes + totalFiles * FILE_WEIGHT - done
  const time = isTotalKnown && done > 0 ? `${formatDuration((elapsed / done) * left)} left` : ""
  return [
    `${files.toLocaleString("en-US")} of ${formatCount(totalFiles, `file${more}`, `files${more}`)}`,
    `${formatBytes(bytes)} of ${formatBytes(totalBytes)}${more}`,
    `${formatBytes(Math.round(rate))}/s`,
    time,
  ]
    .join("  ")
    .trimEnd()
}
