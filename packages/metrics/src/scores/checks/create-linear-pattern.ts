import { invalidRequest } from "@assay/schemas"
import { RE2JS } from "re2js"

/** A regular expression that is searched in linear time, since patterns come from users. */
export interface LinearPattern {
  /** Whether it matches anywhere in the text. */
  isIn(text: string): boolean
  /** Returns the first group of the first match, or the whole match if the pattern has no group; undefined without a match. */
  firstGroup(text: string, anchor?: "start"): string | undefined
}

/**
 * Compiles a pattern in RE2 syntax: without look-around and back-references; `\d`, `\w` and `\s` match ASCII only.
 * @throws `invalid_request` with the pattern and what is wrong with it
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
