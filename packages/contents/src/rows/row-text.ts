import { isAscii, isUtf8 } from "node:buffer"
import { isWide, UTF8 } from "../text/charset.ts"
import type { RowBlock, RowHead } from "./row-block.ts"

/** Returns the text of the bytes from `start` to `end` of a block, or null if they are not in its encoding. Called in order. */
export type RowText = (start: number, end: number) => string | null

/**
 * Number of bytes that are decoded at a time. It makes few calls, and texts short-lived enough for the young generation
 * of the garbage collector.
 */
const WINDOW = 64 * 1024

/** Reads texts from `block` that are kept, whole or in part. Each text holds no more memory than itself. */
export function ownTextsOf({ head, bytes: { buffer, byteOffset, byteLength } }: RowBlock): RowText {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  const { charset = UTF8 } = head
  if (charset !== UTF8 && !isWide(charset)) {
    const decoder = new TextDecoder(charset, { fatal: true })
    return (start, end) => {
      try {
        return decoder.decode(bytes.subarray(start, end))
      } catch {
        return null
      }
    }
  }
  return (start, end) => (isUtf8(bytes.subarray(start, end)) ? bytes.toString("utf8", start, end) : null)
}

/** Reads texts from `block` that are soon dropped. Their encoding is UTF-8 or UTF-16. If the bytes are ASCII, it decodes many texts at once. */
export function textsOf(block: RowBlock): RowText {
  const { buffer, byteOffset, byteLength } = block.bytes
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  let from = 0
  let to = 0
  let text: string | undefined
  let isValid = false

  function open(start: number, end: number): void {
    from = start
    to = Math.max(end, characterStart(bytes, Math.min(start + WINDOW, byteLength)))
    const window = bytes.subarray(from, to)
    text = isAscii(window) ? window.toString("latin1") : undefined
    isValid = text !== undefined || isUtf8(window)
  }

  return (start, end) => {
    if (end > to) open(start, end)
    if (text !== undefined) return text.slice(start - from, end - from)
    return isValid || isUtf8(bytes.subarray(start, end)) ? bytes.toString("utf8", start, end) : null
  }
}

/** Returns the start of the character that contains `at`. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}

/** Returns the fault of the bytes of a row that are not in the encoding of its file. */
export function charsetFault(bytes: Uint8Array, { encoding, charset = UTF8 }: RowHead): string {
  if (isWide(charset)) return `is not ${charset}: half of a surrogate pair is missing; write the file again as UTF-8`
  const remedy =
    encoding === "csv"
      ? "name the encoding of the file, such as windows-1252, in metadata.dataset.csv.encoding or with --encoding, or convert it to UTF-8"
      : "convert the file to UTF-8, for example with 'iconv -f windows-1252 -t UTF-8'"
  const position = charset === UTF8 ? positionOfFault(bytes) : `it has bytes that mean nothing in ${charset}`
  return `is not ${charset === UTF8 ? "UTF-8" : charset}: ${position}; ${remedy}`
}

/** Names the first byte that is not UTF-8. */
function positionOfFault(bytes: Uint8Array): string {
  // The first replacement character shows the position: the text before it is as long as its bytes.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  let at = text.indexOf("\u{fffd}")
  let offset = Buffer.byteLength(text.slice(0, at))
  while (bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd) {
    const next = text.indexOf("\u{fffd}", at + 1)
    offset += Buffer.byteLength(text.slice(at, next))
    at = next
  }
  const byte = (bytes[offset] ?? 0).toString(16).padStart(2, "0")
  return `byte 0x${byte} at byte ${offset} of the row`
}
