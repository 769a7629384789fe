import type { RowHead } from "./row-block.ts"

/** The progress of a scanner. Positions are relative to the buffer that currently holds the bytes. */
export interface ScanState {
  /** The complete rows that were found. */
  readonly bounds: RowBounds
  /** Start of the unfinished row, or the position of the next byte if there is none. */
  pending: number
  /** Number of line ends before `pending`. */
  pendingLine: number
  /** Number of line ends so far. */
  line: number
  /** Whether the pending row began before the buffer. Its dropped bytes make it a row even if the rest is blank. */
  isHeadless: boolean
  /** A fault of the file as a whole, with its position. Nothing after it is scanned. */
  fault: { readonly at: number; readonly line: number; readonly text: string } | undefined
}

/** Finds where rows begin and end. It sees every byte once and in order, in pieces of any size. */
export interface RowScanner {
  /** Returns what is known about the beginning of the file. */
  readonly head: () => RowHead
  scan(state: ScanState, bytes: Uint8Array, from: number, to: number): void
  /** Called when the file has ended at `to`. */
  end(state: ScanState, bytes: Uint8Array, to: number): void
}

/** The bounds of rows, in memory that is reused. */
interface RowBounds {
  readonly count: () => number
  /** Adds a row from `start` to before `end`, with `line` line ends before it. */
  readonly add: (start: number, end: number, line: number) => void
  /**
   * Returns three numbers for each row after the first `skip`: start, end and line. The bounds are empty afterwards.
   */
  readonly take: (skip: number) => Uint32Array<ArrayBuffer>
}

export function createRowBounds(): RowBounds {
  let numbers = new Uint32Array(3 * 256)
  let used = 0
  return {
    count: () => used / 3,
    add(start, end, line) {
      if (used === numbers.length) {
        const larger = new Uint32Array(2 * used)
        larger.set(numbers)
        numbers = larger
      }
      numbers[used] = start
      numbers[used + 1] = end
      numbers[used + 2] = line
      used += 3
    },
    take(skip) {
      const taken = numbers.slice(3 * skip, used)
      used = 0
      return taken
    },
  }
}
