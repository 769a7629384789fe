import { peek } from "../bytes/peek.ts"
import type { Pieces } from "../bytes/pieces.ts"
import { COMMAS, TABS, type CsvDialect, type CsvSettings } from "../formats/csv/csv-dialect.ts"
import { detectDialect } from "../formats/csv/detect-dialect.ts"
import type { RowHead, RowMark } from "../rows/row-block.ts"
import type { TextEncoding } from "../rows/row-format.ts"
import { charsetOf, isWide, UTF8, type Charset } from "../text/charset.ts"
import { detectCharset } from "../text/detect-charset.ts"
import { narrow } from "../text/wide-text.ts"
import { otherKindFault } from "../bytes/other-kind.ts"

/** The first bytes by which the form of a file is detected. */
const EXAMINED_BYTES = 64 * 1024
/** The note on a file without content. */
export const EMPTY_FILE = "the file is empty: it has 0 bytes"

/** How a text is read, and its bytes. */
export interface ExaminedText {
  /** The form of the file before the first row. CSV has no names of columns yet. */
  readonly head: RowHead
  readonly start: Omit<RowMark, "head">
  /** The bytes from `start` on. */
  readonly pieces: Pieces
  /** Differences from the usual form of a file with this name, and the reasons for them: ends of sentences. */
  readonly notes: readonly string[]
  /** Why the file can't be read; null if it can be. */
  readonly fault: string | null
}

const USUAL: Readonly<Record<"csv" | "tsv", CsvDialect>> = { csv: COMMAS, tsv: TABS }

/** Detects the character encoding of a text file and the dialect of CSV from its first bytes. Settings are not questioned. */
export async function examineText(
  given: Pieces,
  encoding: TextEncoding,
  settings: CsvSettings = {},
): Promise<ExaminedText> {
  const { beginning, isWhole, pieces } = await peek(given, EXAMINED_BYTES)
  const start = { rowIndex: 0, line: 1, offset: 0 }
  const refuse = (fault: string) => ({ head: headOf(encoding, UTF8), start, pieces, notes: [], fault })
  const other = otherKindFault(beginning, encoding)
  if (other !== undefined) return refuse(other)
  const isCsv = encoding === "csv" || encoding === "tsv"
  const set = isCsv && settings.encoding !== undefined ? charsetOf(settings.encoding) : undefined
  const charset = set === undefined ? detectCharset(beginning, isCsv) : { charset: set, reason: null }
  if (typeof charset === "string") return refuse(charset)
  const notes = charset.reason === null ? [] : [`the text is ${charset.charset}, ${charset.reason}`]
  if (beginning.length === 0 && isWhole) notes.push(EMPTY_FILE)
  const head = headOf(encoding, charset.charset)
  if (head.encoding !== "csv") return { head, start, pieces, notes, fault: null }
  const text = decode(beginning, charset.charset)
  const found = detectDialect(text, { usual: head.dialect, settings, isWhole })
  const skipped = bytesOf(text.slice(0, found.skipped), charset.charset, beginning)
  return {
    head: { ...head, dialect: found.dialect },
    start: { rowIndex: -1, line: skipped === 0 ? 1 : 2, offset: skipped },
    pieces: skipped === 0 ? pieces : without(pieces, skipped),
    notes: [...notes, ...found.notes],
    fault: null,
  }
}

function headOf(encoding: TextEncoding, charset: Charset): RowHead {
  const named = charset === UTF8 ? {} : { charset }
  if (encoding === "lines") return { encoding, ...named }
  if (encoding === "json") return { encoding, shape: null, ...named }
  return { encoding: "csv", dialect: USUAL[encoding], columns: null, ...named }
}

function decode(bytes: Uint8Array, charset: Charset): string {
  const whole = isWide(charset) ? narrow(bytes.subarray(0, bytes.length & ~1), charset) : bytes
  return new TextDecoder(isWide(charset) ? UTF8 : charset, { ignoreBOM: true }).decode(whole)
}

/** Returns the number of bytes of the first line of a file, which is ASCII after a byte order mark. */
function bytesOf(line: string, charset: Charset, bytes: Uint8Array): number {
  if (isWide(charset)) return 2 * line.length
  return line.length + (bytes[0] === 0xef && line.startsWith("\ufeff") ? 2 : 0)
}

async function* without(pieces: Pieces, count: number): Pieces {
  let left = count
  try {
    for (;;) {
      const step = await pieces.next()
      if (step.done === true) return step.value
      const skipped = Math.min(left, step.value.length)
      left -= skipped
      if (skipped < step.value.length) yield step.value.subarray(skipped)
    }
  } finally {
    await pieces.return(undefined)
  }
}
