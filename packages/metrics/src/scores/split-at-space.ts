// oxlint-disable-next-line no-control-regex -- Python treats these controls as white space
const WORD = /[^\t-\r\u001C- \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/g
// oxlint-disable-next-line no-control-regex -- Python treats these controls as white space
const BLANK = /[\t-\r\u001C- \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/

/**
 * Splits a text at white space as Python's `str.split` does, which the reference implementations use: Unicode white space and
 * the separators U+001C to U+001F. A byte order mark is not white space.
 */
export function splitAtSpace(text: string): readonly string[] {
  return text.match(WORD) ?? []
}

/** Returns a text without the white space at its end. */
export function trimEndAtSpace(text: string): string {
  let end = text.length
  while (end > 0 && BLANK.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Returns a text without the white space at its start. */
export function trimStartAtSpace(text: string): string {
  let start = 0
  while (start < text.length && BLANK.test(text.charAt(start))) start++
  return text.slice(start)
}

/**
 * Counts the pieces between white space as Python's `re.split(r"\s+", text)` does: white space at an end has an empty piece beside it, and an
 * empty text is one piece.
 */
export function countPieces(text: string): number {
  const words = splitAtSpace(text).length
  if (words === 0) return text === "" ? 1 : 2
  return words + Number(BLANK.test(text.charAt(0))) + Number(BLANK.test(text.charAt(text.length - 1)))
}
