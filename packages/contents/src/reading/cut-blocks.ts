import type { BufferPool } from "../bytes/pieces.ts"
import { tooLongFault, type RowBlock, type RowMark } from "../rows/row-block.ts"
import { createRowBounds, type RowScanner, type ScanState } from "../rows/row-scanner.ts"
import type { UnreadableRow } from "../rows/row.ts"
import { sizeInFile, UTF8 } from "../text/charset.ts"

export interface CutOptions {
  /** Buffers for the blocks. Blocks have the size of these buffers, except a block with one longer row. */
  readonly buffers: BufferPool
  readonly maxRowBytes: number
  /** Position of the first byte in the file. Default: the beginning. */
  readonly start?: Omit<RowMark, "head"> | undefined
}

/** A block of whole rows, or a row that can't be read. */
export type Cut = RowBlock | UnreadableRow

export interface BlockCutter {
  /** Returns the blocks that `piece` completes. The piece is copied, so the caller may reuse it. */
  readonly push: (piece: Uint8Array) => readonly Cut[]
  /** Returns the remaining rows. `fault` says why the bytes end before the file does; the unfinished row is lost. */
  readonly end: (fault?: string) => readonly Cut[]
}

/**
 * Cuts bytes in pieces of any size into blocks of whole rows, in order and without gaps. It holds one block, or one
 * longer row. Of a row longer than `maxRowBytes` only the position is kept.
 */
export function createBlockCutter(scanner: RowScanner, options: CutOptions): BlockCutter {
  const { buffers, maxRowBytes } = options
  const blockBytes = buffers.size
  const { charset = UTF8 } = scanner.head()
  let { rowIndex, line, offset } = options.start ?? { rowIndex: 0, line: 1, offset: 0 }
  let buffer = buffers.take()
  let filled = 0
  let scanned = 0
  let mayHaveMark = offset === 0
  /** Start of the current row if its first bytes were dropped. */
  let headless: { readonly line: number; readonly offset: number } | undefined
  let fileFault: UnreadableRow | undefined
  const state: ScanState = {
    bounds: createRowBounds(),
    pending: 0,
    pendingLine: 0,
    line: 0,
    isHeadless: false,
    fault: undefined,
  }

  function scan(isEnd: boolean): void {
    if (mayHaveMark) {
      if (filled < 3 && !isEnd) return
      mayHaveMark = false
      if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf && filled >= 3) scanned = state.pending = 3
    }
    scanner.scan(state, buffer, scanned, filled)
    scanned = filled
    if (isEnd) scanner.end(state, buffer, filled)
    if (state.fault !== undefined && fileFault === undefined) {
      const { at, line: before, text } = state.fault
      const location = { row_index: 0, line: line + before, offset: offset + sizeTo(at) }
      fileFault = { ...location, row: null, fault: text, isOfFile: true }
    }
  }

  /** Returns the number of bytes in the file that the first `count` bytes of the buffer take. */
  function sizeTo(count: number): number {
    return sizeInFile(charset, buffer.subarray(0, count))
  }

  /** Removes the complete rows from the buffer. */
  function cut(): readonly Cut[] {
    const cuts: Cut[] = []
    const { bounds, pending } = state
    const size = sizeTo(pending)
    if (headless !== undefined && bounds.count() > 0) {
      cuts.push({ row_index: rowIndex++, ...headless, row: null, fault: tooLongFault(maxRowBytes) })
      headless = undefined
    }
    const own = bounds.take(cuts.length)
    const rest = buffer.subarray(pending, filled)
    if (own.length > 0) {
      const head = scanner.head()
      cuts.push({ head, bytes: buffer.subarray(0, pending), bounds: own, maxRowBytes, rowIndex, line, offset })
      rowIndex += own.length / 3
      buffer = rest.length > blockBytes ? new Uint8Array(rest.length) : buffers.take()
      buffer.set(rest)
    } else {
      buffer.copyWithin(0, pending, filled)
    }
    moveOn(pending, { size, left: rest.length })
    return cuts
  }

  /** Records that the first `count` bytes, which take `size` bytes in the file, left the buffer and that `left` bytes remain. */
  function moveOn(count: number, { size, left }: { readonly size: number; readonly left: number }): void {
    offset += size
    line += state.pendingLine
    filled = left
    scanned -= count
    state.line -= state.pendingLine
    state.pending = state.pendingLine = 0
  }

  /** Makes room if a row fills the whole buffer. */
  function makeRoom(): void {
    if (filled < buffer.length) return
    if (filled <= maxRowBytes) {
      const larger = new Uint8Array(Math.min(2 * buffer.length, maxRowBytes + blockBytes))
      larger.set(buffer)
      buffer = larger
      return
    }
    headless ??= { line, offset }
    state.isHeadless = true
    state.pendingLine = state.line
    moveOn(filled, { size: sizeTo(filled), left: 0 })
  }

  return {
    push(piece) {
      const cuts: Cut[] = []
      for (let at = 0; at < piece.length;) {
        if (filled === buffer.length) {
          cuts.push(...cut())
          makeRoom()
        }
        const part = piece.subarray(at, at + buffer.length - filled)
        buffer.set(part, filled)
        filled += part.length
        at += part.length
        scan(false)
      }
      return cuts
    },
    end(fault) {
      if (fault === undefined) scan(true)
      const lost = { line: line + state.pendingLine, offset: offset + sizeTo(state.pending) }
      const cuts = cut()
      if (fault !== undefined) {
        return [...cuts, { row_index: rowIndex, ...(headless ?? lost), row: null, fault, isOfFile: true }]
      }
      return fileFault === undefined ? cuts : [...cuts, { ...fileFault, row_index: rowIndex }]
    },
  }
}
