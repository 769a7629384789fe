/** A number word of Python's JSON that stands alone. Texts are matched first, so that words inside of them are kept; one without an end goes to the end. */
const WORDS = /"(?:[^"\\]|\\[^]?)*(?:"|$)|(?<![\w.+-])(?:-?Infinity|NaN)(?![\w.+-])/g

/** Returns whether Python's `json.loads` reads a text, which also takes `NaN` and `Infinity`. */
export function isPythonJson(text: string): boolean {
  return isJson(text) || isJson(text.replaceAll(WORDS, (word) => (word.startsWith('"') ? word : "0")))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
