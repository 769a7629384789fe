// oxlint-disable-next-line no-control-regex -- Python takes these controls for blanks
const WORD = /[^\t-\r\u001C- \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/g
// oxlint-disable-next-line no-control-regex -- Python takes these controls for blanks
const BLANK = /[\t-\r\u001C- \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/

/**
 * The words between blanks, which are those of Python's `str.split`, as the references of the metrics use it: Unicode's white space
 * and the separators U+001C to U+001F, to which a byte order mark does not belong.
 */
export function splitAtSpace(text: string): readonly string[] {
  return text.match(WORD) ?? []
}

/** The text without the blanks at its end. */
export function trimEndAtSpace(text: string): string {
  let end = text.length
  while (end > 0 && BLANK.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
