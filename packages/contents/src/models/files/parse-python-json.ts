/** A string, or one of the words that Python writes for numbers that JSON does not have. */
const STRING_OR_WORD = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g

/**
 * The value of a JSON text as Python writes it: `Infinity`, `-Infinity` and `NaN` become null.
 * @throws SyntaxError
 */
export function parsePythonJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const strict = text.replaceAll(STRING_OR_WORD, (found) => (found.startsWith('"') ? found : "null"))
    if (strict === text) throw error
    return JSON.parse(strict)
  }
}
