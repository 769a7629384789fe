const WORD = /[^\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/g

/** The words between blanks: Unicode's white space, to which a byte order mark does not belong. */
export function splitAtSpace(text: string): readonly string[] {
  return text.match(WORD) ?? []
}
