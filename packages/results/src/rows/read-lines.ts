const NEWLINE = 10

/** A line of a journal. */
export interface Line {
  /** Its first byte. */
  readonly start: number
  /** Without its end. */
  readonly text: Buffer
}

/** Cuts bytes into whole lines, those of a piece together. Bytes after the last line end are left out. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[], void> {
  let start = 0
  for await (const bytes of wholeLines(pieces)) {
    const lines: Line[] = []
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      lines.push({ start: start + from, text: bytes.subarray(from, end) })
      from = end + 1
    }
    start += bytes.length
    yield lines
  }
}

/** Cuts bytes between lines, so that each piece has whole lines. Bytes after the last line end are left out. */
export async function* wholeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let rest: Buffer[] = []
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    let start = 0
    if (rest.length > 0) {
      // Only the line that is in two pieces is copied.
      start = bytes.indexOf(NEWLINE) + 1
      if (start > 0) {
        yield Buffer.concat([...rest, bytes.subarray(0, start)])
        rest = []
      }
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end > start) yield bytes.subarray(start, end)
    if (end < bytes.length) rest.push(bytes.subarray(end))
  }
}
