import { AssayError } from "@assay/schemas"

const NEWLINE = 10

/** Maximum number of bytes of a row. */
const MAX_ROW_BYTES = 64 * 1024 * 1024

/**
 * Yields the lines of rows without their ends, those of a piece together. Bytes after the last line end are a line, too.
 * @throws `bad_document` for a line of more than 64 MiB
 */
export async function* splitLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Buffer[], void> {
  let rest: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const lines: Buffer[] = []
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const last = bytes.subarray(start, end)
      checkSize(size + last.length)
      lines.push(rest.length === 0 ? last : Buffer.concat([...rest, last]))
      rest = []
      size = 0
      start = end + 1
    }
    if (start < bytes.length) {
      // A copy: the piece that has the line is much larger.
      rest.push(Buffer.from(bytes.subarray(start)))
      size += bytes.length - start
      checkSize(size)
    }
    if (lines.length > 0) yield lines
  }
  if (size > 0) yield [Buffer.concat(rest)]
}

function checkSize(size: number): void {
  if (size <= MAX_ROW_BYTES) return
  throw new AssayError("bad_document", `A row has more than ${MAX_ROW_BYTES} bytes, the limit of a verdict bundle.`)
}
