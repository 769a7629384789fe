import type { KeptNumbers } from "./parse-exact-json.ts"

const OF_NUMBERS = new Set(Buffer.from("0123456789+-.eE"))
const QUOTE = 34
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const UPPER_E = 69
const BACKSLASH = 92
const LOWER_E = 101
/** Numbers of fewer characters have at most 15 digits, which are all kept. */
const SHORT = 16
/** After so many bytes of a string, its end is looked for by the system. */
const SHORT_STRING = 24

/**
 * Whether `JSON.parse` may change a number in the bytes of a JSON text: what is to be kept of it. Looks at each byte once; most texts
 * have no such number, and are parsed at full speed.
 */
export function mayChangeNumbers(bytes: Buffer, start: number, end: number, kept: KeptNumbers = "text"): boolean {
  let at = start
  while (at < end) {
    const byte = bytes[at] as number
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1, end) + 1
      continue
    }
    if (byte < ZERO || byte > NINE) {
      at++
      continue
    }
    const from = at
    let points = 0
    let last = byte
    for (at++; at < end; at++) {
      const next = bytes[at] as number
      if (next === POINT) points++
      else if (next < ZERO || next > NINE) break
      last = next
    }
    const length = at - from
    const behind = at < end ? (bytes[at] as number) : 0
    if (length >= SHORT || behind === UPPER_E || behind === LOWER_E) {
      if (isChanged(bytes, from, end)) return true
    } else if (kept === "text" && (points > 0 || byte === ZERO)) {
      // 1.50, 0.0000001, which is written as 1e-7, and -0.
      const isSuspect = points > 0 ? last === ZERO || (byte === ZERO && length > 8) : bytes[from - 1] === MINUS
      if (isSuspect && isChanged(bytes, from, end)) return true
    }
  }
  return false
}

/** Whether the number whose digits begin at `from` is written otherwise when it was read. */
function isChanged(bytes: Buffer, from: number, end: number): boolean {
  const start = bytes[from - 1] === MINUS ? from - 1 : from
  let behind = from
  while (behind < end && OF_NUMBERS.has(bytes[behind] ?? 0)) behind++
  const text = bytes.toString("latin1", start, behind)
  return String(Number(text)) !== text
}

/** Where the quote is that ends a string. */
function endOfString(bytes: Buffer, start: number, end: number): number {
  const near = Math.min(end, start + SHORT_STRING)
  let at = start
  while (at < near) {
    const byte = bytes[at] as number
    if (byte === QUOTE) return at
    at += byte === BACKSLASH ? 2 : 1
  }
  while (at < end) {
    const quote = bytes.indexOf(QUOTE, at)
    if (quote === -1 || quote >= end) return end
    let slashes = 0
    while (quote - slashes > at && bytes[quote - slashes - 1] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote
    at = quote + 1
  }
  return end
}
