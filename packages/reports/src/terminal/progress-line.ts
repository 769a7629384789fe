import { printable } from "@assay/schemas"
import type { Screen } from "./screen.ts"

/** One line on the terminal that is overwritten. Without a terminal nothing is written. */
export interface ProgressLine<P> {
  show(progress: P): void
  /** Removes the line, so that other text can be written. */
  clear(): void
}

const REDRAW_MS = 100
const CLEAR = "\r\u001B[K"

/**
 * Creates a progress line.
 * @param format formats the progress after `elapsed` milliseconds
 */
export function createProgressLine<P>(
  { stderr, isTerminal, columns, now }: Screen,
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
      stderr.write(CLEAR + fitted(printable(format(progress, time - start)), Math.max(0, columns() - 1)))
    },
    clear: () => {
      if (isShown) stderr.write(CLEAR)
      isShown = false
    },
  }
}

/** Cuts a line to a width between two of its parts, which two spaces separate, or else between two words: a cut number is a wrong one. */
function fitted(line: string, width: number): string {
  if (line.length <= width) return line
  const cut = line.slice(0, width)
  const gap = cut.lastIndexOf("  ")
  const end = gap > 0 ? gap : cut.lastIndexOf(" ")
  return end > 0 ? `${cut.slice(0, end)}…` : cut
}
