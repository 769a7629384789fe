import type { RowCompression, TextEncoding } from "../rows/row-format.ts"

// The first bytes are compared as the characters U+0000 to U+00FF.
/** The kind of a file that begins in one of these ways, and what to do: the end of a sentence about the file. */
const BINARY_KINDS: readonly (readonly [begins: readonly string[], fault: string])[] = [
  [["\x1f\x8b\x08"], "is compressed with gzip; add .gz to its name"],
  [["\x28\xb5\x2f\xfd"], "is compressed with zstd; add .zst to its name"],
  [["BZh91AY&SY", "\xfd7zXZ\0"], "is compressed with bzip2 or xz; unpack it"],
  [
    ["PK\x03\x04"],
    "is a ZIP archive, as workbooks of Excel (.xlsx) are too; save a sheet as CSV, or unpack the archive",
  ],
  [["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"], "is a workbook of Excel (.xls); save a sheet as CSV"],
  [["PAR1\x15"], "is Parquet; rename it to .parquet"],
  [["ARROW1\0\0", "FEA1\0"], "is an Arrow or Feather file; write it as Parquet"],
  [["SQLite format 3\0"], "is a database of SQLite; write its rows as CSV or JSON lines"],
  [["%PDF-1.", "%PDF-2."], "is a PDF document"],
]
/** The magic of a tar archive, behind the name, owner and dates of its first file (POSIX.1-1988). */
const TAR_MAGIC = { at: 257, text: "ustar" }
const HTML_START = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b/i
const XML_START = /^(?:\xef\xbb\xbf)?<\?xml\s/
/** A first line that is a JSON object, or the begin of an array of them. As CSV its quotes would be wrong. */
const JSON_START = /^(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"(?:[^"\\]|\\.){0,200}"\s*:/

/** Says what a file is, and what to do, if it is not a text with rows. Undefined if it may be one. */
export function otherKindFault(beginning: Uint8Array, encoding: TextEncoding): string | undefined {
  const text = Buffer.from(beginning.subarray(0, 512)).toString("latin1")
  const binary = BINARY_KINDS.find(([begins]) => begins.some((begin) => text.startsWith(begin)))
  if (binary !== undefined) return binary[1]
  if (text.startsWith(TAR_MAGIC.text, TAR_MAGIC.at)) return "is a tar archive; unpack it"
  if (HTML_START.test(text)) {
    return "is a page of HTML, such as that of a sign-in or an error, and not the data; download the file again"
  }
  if (XML_START.test(text))
    return "is XML, such as an error of an object store, and not the data; download the file again"
  if ((encoding !== "csv" && encoding !== "tsv") || !JSON_START.test(text)) return undefined
  return `is JSON; rename it to ${/^[^{]*\[/.test(text) ? ".json" : ".jsonl"}`
}

/** Says that a file is not compressed as its name says. Undefined if it is, or has no bytes. */
export function notCompressedFault(bytes: Uint8Array, compression: RowCompression): string | undefined {
  if (bytes.length === 0 || (compression === "gzip" ? isGzip(bytes) : isZstd(bytes))) return undefined
  return `is not compressed with ${compression}, as its name says; rename it without .${compression === "gzip" ? "gz" : "zst"}, or compress it`
}

function isGzip([a, b]: Uint8Array): boolean {
  return a === 0x1f && b === 0x8b
}

/** Returns whether a file begins with a frame of zstd, or with one to skip (RFC 8878, section 3.1). */
function isZstd([a = 0, b, c, d]: Uint8Array): boolean {
  return (
    (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) || (a >> 4 === 5 && b === 0x2a && c === 0x4d && d === 0x18)
  )
}
