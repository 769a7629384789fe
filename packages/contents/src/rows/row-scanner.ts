import type { RowHead } from "./row-block.ts"

/** How far a scanner has come. Positions are those of the buffer that holds the bytes at the time. */
export interface ScanState {
  /** The whole rows that were found. */
  readonly bounds: RowBounds
  /** Where the row begins that has not ended yet; where the next byte will stand, if there is none. */
  pending: number
  /** Line ends before `pending`. */
  pendingLine: number
  /** Line ends so far. */
  line: number
  /** Whether the pending row began before the buffer: the bytes that it has lost make it a row, whatever is to come. */
  isHeadless: boolean
  /** What is wrong with the file as a whole, and where. Nothing after it is looked at. */
  fault: { readonly at: number; readonly line: number; readonly text: string } | undefined
}

/** Finds where rows begin and end. It sees every byte once, in order, however the bytes come. */
export interface RowScanner {
  /** What is known of the beginning of the file. */
  readonly head: () => RowHead
  scan(state: ScanState, bytes: Uint8Array, from: number, to: number): void
  /** The file has ended at `to`. */
  end(state: ScanState, bytes: Uint8Array, to: number): void
}

/** Where rows begin and end, in memory that is used again. */
interface RowBounds {
  readonly count: () => number
  /** A row from `start` to before `end`, with so many line ends before it. */
  readonly add: (start: number, end: number, line: number) => void
  /** Three numbers for each but the first `skip` of them: start, end, line. It is empty afterwards. */
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
