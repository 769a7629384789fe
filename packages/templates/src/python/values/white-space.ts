/** The white space of Python's `str.strip()` and `str.split()`, which differs from JavaScript's in a few characters. */
const SPACE = "[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
const WORD = new RegExp(`(?:(?!${SPACE})[^])+`, "g")
const ONE = new RegExp(`^${SPACE}$`)

function isPythonSpace(character: string): boolean {
  return ONE.test(character)
}

export function pythonTrimStart(text: string): string {
  let start = 0
  while (start < text.length && isPythonSpace(text[start] ?? "")) start++
  return text.slice(start)
}

export function pythonTrimEnd(text: string): string {
  let end = text.length
  while (end > 0 && isPythonSpace(text[end - 1] ?? "")) end--
  return text.slice(0, end)
}

/** Returns the words of a text, with their positions. */
export function pythonWords(text: string): readonly { readonly word: string; readonly index: number }[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index }))
}
