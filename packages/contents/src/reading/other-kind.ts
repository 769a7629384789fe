import type { RowCompression, TextEncoding } from "../rows/row-format.ts"

/** A kind of file that is found under the names of row files, by its first bytes. */
interface OtherKind {
  readonly magic: RegExp
  /** What the file is, and what to do: the end of a sentence about it. */
  readonly fault: string
}

// The patterns read bytes as the characters U+0000 to U+00FF.
const OTHER_KINDS: readonly OtherKind[] = [
  { magic: /^\x1f\x8b\x08/, fault: "is compressed with gzip; add .gz to its name" },
  { magic: /^\x28\xb5\x2f\xfd/, fault: "is compressed with zstd; add .zst to its name" },
  { magic: /^(?:BZh[1-9]1AY&SY|\xfd7zXZ\0)/, fault: "is compressed with bzip2 or xz; unpack it" },
  {
    magic: /^PK\x03\x04/,
    fault: "is a ZIP archive, as workbooks of Excel (.xlsx) are too; save a sheet as CSV, or unpack the archive",
  },
  { magic: /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, fault: "is a workbook of Excel (.xls); save a sheet as CSV" },
  { magic: /^PAR1\x15/, fault: "is Parquet; rename it to .parquet" },
  { magic: /^(?:ARROW1\0\0|FEA1\0)/, fault: "is an Arrow or Feather file; write it as Parquet" },
  { magic: /^SQLite format 3\0/, fault: "is a database of SQLite; write its rows as CSV or JSON lines" },
  { magic: /^%PDF-[0-9]/, fault: "is a PDF document" },
  { magic: /^[^]{257}ustar[\0 ]/, fault: "is a tar archive; unpack it" },
  {
    magic: /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b/i,
    fault: "is a page of HTML, such as that of a sign-in or an error, and not the data; download the file again",
  },
  {
    magic: /^(?:\xef\xbb\xbf)?<\?xml\s/,
    fault: "is XML, such as an error of an object store, and not the data; download the file again",
  },
]
/** A first line that is a JSON object, or the begin of an array of them. As CSV its quotes would be wrong. */
const JSON_START = /^(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"(?:[^"\\]|\\.){0,200}"\s*:/
const COMPRESSED: Readonly<Record<RowCompression, RegExp>> = {
  gzip: /^\x1f\x8b/,
  // A frame, or one to skip (RFC 8878, section 3.1).
  zstd: /^(?:\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)/,
}

/** Says what a file is, and what to do, if it is not a text with rows. Undefined if it may be one. */
export function otherKindFault(beginning: Uint8Array, encoding: TextEncoding): string | undefined {
  const text = Buffer.from(beginning.subarray(0, 512)).toString("latin1")
  const found = OTHER_KINDS.find(({ magic }) => magic.test(text))
  if (found !== undefined) return found.fault
  if ((encoding !== "csv" && encoding !== "tsv") || !JSON_START.test(text)) return undefined
  return `is JSON; rename it to ${/^[^{]*\[/.test(text) ? ".json" : ".jsonl"}`
}

/** Says that a file is not compressed as its name says. Undefined if it is, or has no bytes. */
export function notCompressedFault(beginning: Uint8Array, compression: RowCompression): string | undefined {
  const text = Buffer.from(beginning.subarray(0, 4)).toString("latin1")
  if (text === "" || COMPRESSED[compression].test(text)) return undefined
  return `is not compressed with ${compression}, as its name says; rename it without .${compression === "gzip" ? "gz" : "zst"}, or compress it`
}
