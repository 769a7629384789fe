import { isUtf8 } from "node:buffer"
import { UTF8, type Charset } from "./charset.ts"

/** An encoding that the first bytes of a file show. */
interface DetectedCharset {
  readonly charset: Charset
  /** Why the text is not read as UTF-8; null for UTF-8. */
  readonly reason: string | null
}

/**
 * Returns the encoding that the first bytes of a file show, or why the file can't be read. The default is UTF-8.
 * @param isLegacy Whether the text may be windows-1252, as in CSV
 */
export function detectCharset(beginning: Uint8Array, isLegacy: boolean): DetectedCharset | string {
  const [a, b, c, d] = beginning
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff)) {
    return "is UTF-32, as its byte order mark says; convert the file to UTF-8, for example with 'iconv -f UTF-32 -t UTF-8'"
  }
  if (a === 0xff && b === 0xfe) return { charset: "utf-16le", reason: "as its byte order mark says" }
  if (a === 0xfe && b === 0xff) return { charset: "utf-16be", reason: "as its byte order mark says" }
  const wide = wideCharset(beginning)
  if (wide !== undefined) return { charset: wide, reason: "because every second byte is 0" }
  if (isLegacy && !isUtf8(wholeCharacters(beginning)) && isWestern(beginning)) {
    const reason = "because its bytes are not UTF-8 and look like Western European text"
    return { charset: "windows-1252", reason }
  }
  return { charset: UTF8, reason: null }
}

/** Returns UTF-16 if nearly every second byte is 0, as in text that is mostly ASCII. */
function wideCharset(bytes: Uint8Array): Charset | undefined {
  const zeros = [0, 0]
  // Most texts have no such byte, and are then searched once.
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = bytes.length / 4
  if (odd >= many && odd > 0 && even * 20 <= odd) return "utf-16le"
  return even >= many && even > 0 && odd * 20 <= even ? "utf-16be" : undefined
}

/** Returns the bytes without a last character that continues after them. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let lead = bytes.length - 1
  while (lead > bytes.length - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead--
  const byte = bytes[lead] ?? 0
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
  return lead >= 0 && lead + length > bytes.length ? bytes.subarray(0, lead) : bytes
}

/** A word of a language with the letters of windows-1252 has at most this many of them in a row. */
const MAX_LETTERS = 3
/** Signs of windows-1252 that can be inside a word: an apostrophe, a soft hyphen and an accent. */
const WITHIN_WORDS: ReadonlySet<number> = new Set([0x91, 0x92, 0xad, 0xb4, 0xb7])
const UNUSED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/**
 * Returns whether bytes above 127 are used as in windows-1252: as accented letters in words of ASCII letters. Text of other encodings has
 * them in long runs, or has signs inside words.
 */
function isWestern(bytes: Uint8Array): boolean {
  let western = 0
  let foreign = 0
  for (let at = 0; at < bytes.length;) {
    let end = at
    while ((bytes[end] ?? 0) >= 0x80) end++
    const run = bytes.subarray(at, end)
    if (run.length > 1 && isUtf8(run)) return false
    if (run.length > MAX_LETTERS) foreign += run.length
    else {
      const isInWord = isLetter(bytes[at - 1]) || isLetter(bytes[end])
      const isWithin = isLetter(bytes[at - 1]) && isLetter(bytes[end])
      for (const byte of run) {
        if (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) western += isInWord ? 1 : 0
        else if (UNUSED.has(byte) || (isWithin && byte >= 0xa0 && !WITHIN_WORDS.has(byte))) foreign++
      }
    }
    if (isControl(bytes[end])) foreign++
    at = end + 1
  }
  return western > 0 && 10 * foreign <= western
}

function isLetter(byte = 0): boolean {
  return (byte | 32) >= 97 && (byte | 32) <= 122 && byte < 0x80
}

function isControl(byte = 32): boolean {
  return byte < 32 && byte !== 9 && byte !== 10 && byte !== 13
}
