/**
 * The encoding of a text, by its lower-case name in the Encoding Standard. All but UTF-16 represent ASCII by single bytes, so that line
 * ends, delimiters and quotes are found without decoding.
 */
export type Charset = string

export const UTF8: Charset = "utf-8"

/** Encodings whose bytes can't be searched for line ends: they switch their meaning within the text, or do not encode a text. */
const UNREADABLE: ReadonlySet<string> = new Set(["iso-2022-jp", "replacement", "x-user-defined"])
/** Other names of encodings that spreadsheets and Python use. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  utf8: UTF8,
  "utf-8-sig": UTF8,
  utf_8_sig: UTF8,
  utf_8: UTF8,
  cp932: "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
  mac_roman: "macintosh",
  "mac-roman": "macintosh",
  latin_1: "windows-1252",
  ansi: "windows-1252",
}

/** Returns the encoding with this name, in upper or lower case, or undefined if text in it can't be read. */
export function charsetOf(name: string): Charset | undefined {
  const lower = name.trim().toLowerCase()
  try {
    const { encoding } = new TextDecoder(OTHER_NAMES[lower] ?? lower.replace(/^cp(125\d|866)$/, "windows-$1"))
    return UNREADABLE.has(encoding) ? undefined : encoding
  } catch {
    return undefined
  }
}

/** Returns whether a character takes at least two bytes, so that the text is converted to UTF-8 before it is cut into rows. */
export function isWide(charset: Charset): boolean {
  return charset === "utf-16le" || charset === "utf-16be"
}

/** Returns the number of bytes that a text takes in its file. `bytes` are the text as `toNarrow` returns it. */
export function sizeInFile(charset: Charset, bytes: Uint8Array): number {
  if (!isWide(charset)) return bytes.length
  let units = 0
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  }
  return 2 * units
}
