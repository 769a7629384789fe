import { isAscii, isUtf8 } from "node:buffer"
import type { RowBlock } from "./row-block.ts"

/** The text of the bytes from `start` to `end` of a block; null where they are not UTF-8. Asked for in order. */
export type RowText = (start: number, end: number) => string | null

/** Bytes that are decoded at a time: few calls, and texts that are small enough to be young for the collector. */
const WINDOW = 64 * 1024

/** Reads texts out of `block` that are kept, or parts of which are: none keeps more in memory than itself. */
export function ownTextsOf({ bytes: { buffer, byteOffset, byteLength } }: RowBlock): RowText {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  return (start, end) => (isUtf8(bytes.subarray(start, end)) ? bytes.toString("utf8", start, end) : null)
}

/** Reads texts out of `block` that are soon forgotten. Where all is ASCII, many are decoded at once. */
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

/** Where the character begins that `at` is within. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}

/** What is wrong with `bytes`, which are not UTF-8. */
export function utf8Fault(bytes: Uint8Array): string {
  // What the decoder replaces first tells the place: the text before is as long as the bytes that it stands for.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  let at = text.indexOf("\u{fffd}")
  let offset = Buffer.byteLength(text.slice(0, at))
  while (bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd) {
    const next = text.indexOf("\u{fffd}", at + 1)
    offset += Buffer.byteLength(text.slice(at, next))
    at = next
  }
  const byte = (bytes[offset] ?? 0).toString(16).padStart(2, "0")
  return `is not UTF-8: byte 0x${byte} at byte ${offset} of the row`
}
