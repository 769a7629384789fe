import { invalidRequest } from "@assay/schemas"
import { RE2JS } from "re2js"

/** A regular expression whose search takes time linear in the text, whatever it is: patterns come from users. */
export interface LinearPattern {
  /** Whether it is anywhere in the text. */
  isIn(text: string): boolean
  /** The first group of the first hit, or the whole hit where the pattern has no group; undefined without one. */
  firstGroup(text: string, anchor?: "start"): string | undefined
}

/**
 * Compiles a pattern in the syntax of RE2: no look-around, no back-references, `\d`, `\w` and `\s` of ASCII.
 * @throws `invalid_request` that names the pattern and what is wrong with it
 */
export function createLinearPattern(pattern: string, loc: readonly string[]): LinearPattern {
  const compiled = compile(pattern, loc)
  return {
    isIn: (text) => compiled.test(text),
    firstGroup(text, anchor) {
      const matcher = compiled.matcher(text)
      if (!(anchor === "start" ? matcher.lookingAt() : matcher.find())) return undefined
      return matcher.group(compiled.groupCount() > 0 ? 1 : 0) ?? undefined
    },
  }
}

function compile(pattern: string, loc: readonly string[]): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "unknown"
    const advice = "write it in the syntax of RE2, which has no look-around and no back-references."
    throw invalidRequest(
      loc,
      `the pattern '${pattern}' can't be searched for: ${reason}; ${advice}`,
      "pattern",
      pattern,
    )
  }
}
