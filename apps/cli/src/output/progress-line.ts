import type { Context } from "../context.ts"
import { formatBytes, formatCount, formatDuration } from "@assay/reports/terminal"
import { printable } from "@assay/schemas/printable"

/** How far a transfer is. */
export interface Progress {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
  /** Whether the totals are final. */
  readonly isTotalKnown: boolean
  /** Bytes that travelled. */
  readonly movedBytes: number
}

/** One line on the terminal that is written over; nothing at all where stderr is no terminal. */
export interface ProgressLine<P> {
  show(progress: P): void
  /** Takes the line away, so that other text can be written. */
  clear(): void
}

const REDRAW_MS = 100
const CLEAR = "\r\u001B[K"

/** What a file costs beside its bytes, for the time left. */
const FILE_WEIGHT = 16_384

/** `format` words how far something is after so many milliseconds. */
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

/** `1,200 of 4,000 files  34.1 MiB of 1.2 GiB  45.0 MiB/s  26 s left` */
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
