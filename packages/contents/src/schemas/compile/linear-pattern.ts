import { RE2JS } from "re2js"

export interface LinearPattern {
  readonly test: (text: string) => boolean
  /** Returns the pattern. Ajv treats patterns with the same text as equal. */
  readonly toString: () => string
}

/**
 * Compiles a pattern from a user, so that a search takes time linear in the text. It is written as in JSON Schema and
 * read as RE2 reads it: no look-around, no back-references, and `\s` and `.` match ASCII only.
 * @throws `Error` that names the pattern and its fault
 */
export function compileLinearPattern(pattern: string): LinearPattern {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return { test: (text) => compiled.test(text), toString: () => pattern }
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "unknown"
    throw new Error(`has the pattern '${pattern}', which can't be searched in linear time (RE2): ${reason}`, {
      cause: error,
    })
  }
}
