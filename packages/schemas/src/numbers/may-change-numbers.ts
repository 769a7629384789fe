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
 * Whether `JSON.parse` may change a number in the bytes of a JSON text: its value, or its text. Looks at each byte once; most texts
 * have no such number, and are parsed at full speed.
 */
export function mayChangeNumbers(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1, end)
      continue
    }
    if (byte < ZERO || byte > NINE) continue
    const from = at
    let hasPoint = false
    let last = byte
    for (at++; at < end; at++) {
      const next = bytes[at] ?? 0
      if (next === POINT) hasPoint = true
      else if (next < ZERO || next > NINE) break
      last = next
    }
    const length = at - from
    const behind = at < end ? bytes[at] : 0
    if (behind === UPPER_E || behind === LOWER_E || length >= SHORT) return true
    // 1.50, and 0.0000001, which is written as 1e-7.
    if (hasPoint && (last === ZERO || (byte === ZERO && length > 8))) return true
    if (byte === ZERO && length === 1 && bytes[from - 1] === MINUS) return true
    at--
  }
  return false
}

/** Where the quote is that ends a string. */
function endOfString(bytes: Buffer, start: number, end: number): number {
  const near = Math.min(end, start + SHORT_STRING)
  let at = start
  while (at < near) {
    const byte = bytes[at]
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
