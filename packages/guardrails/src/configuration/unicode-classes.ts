const SPACES = "\\s\\p{Z}\\x0b\\x1c-\\x1f\\x85"
const LETTERS = "\\p{L}\\p{N}_"

/** Python's meaning of classes that RE2 reads as ASCII, outside of brackets. */
const CLASSES: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  s: `[${SPACES}]`,
  S: `[^${SPACES}]`,
  w: `[${LETTERS}]`,
  W: `[^${LETTERS}]`,
}
/** The same inside brackets. RE2 can't express the others there: `\S` and `\W` stay ASCII and match more. */
const INNER: Readonly<Record<string, string>> = { d: "\\p{Nd}", D: "\\P{Nd}", s: SPACES, w: LETTERS }

/** Returns a pattern for RE2 whose `\d`, `\s` and `\w` match the characters of all scripts, as in Python. */
export function withUnicodeClasses(pattern: string): string {
  let written = ""
  let isInside = false
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    const next = pattern.charAt(at + 1)
    if (character === "\\") {
      written += (isInside ? INNER : CLASSES)[next] ?? character + next
      at++
      continue
    }
    written += character
    if (!isInside && character === "[") {
      isInside = true
      // A bracket right after the start is a character of the class.
      const first = /^\^?\]/.exec(pattern.slice(at + 1, at + 3))?.[0] ?? ""
      written += first
      at += first.length
    } else if (isInside && character === "]") isInside = false
  }
  return written
}
