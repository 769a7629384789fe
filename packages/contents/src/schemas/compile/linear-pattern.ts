import { RE2JS } from "re2js"

export interface LinearPattern {
  readonly test: (text: string) => boolean
  /** Its text: Ajv takes patterns with the same one for the same. */
  readonly toString: () => string
}

/**
 * A regular expression whose search takes time linear in the text, whatever it is: patterns come from users. Written as
 * in JSON Schema, read as RE2 reads it: no look-around, no back-references, `\s` and `.` of ASCII.
 * @throws `Error` that names the pattern and what is wrong with it
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
