import { invalidRequest } from "@assay/schemas"
import { RE2JS } from "re2js"

/** A regular expression that is searched in linear time, since patterns come from users. */
export interface LinearPattern {
  /** Whether it matches anywhere in the text. */
  isIn(text: string): boolean
  /**
   * Returns the first group of each match, or the whole match if the pattern has no group. Undefined: the group is not part of that
   * match. With `start`, only a match at the beginning of the text counts. At most `most` matches are looked for, because each
   * search may read the text to its end.
   */
  firstGroups(text: string, options: { readonly most: number; readonly anchor?: "start" | undefined }): GroupsFound
}

/** The first groups of the matches in a text, in order. */
type GroupsFound = readonly (string | undefined)[]

/**
 * Compiles a pattern in RE2 syntax: without look-around and back-references; `\d`, `\w` and `\s` match ASCII only.
 * @throws `invalid_request` with the pattern and what is wrong with it
 */
export function createLinearPattern(pattern: string, loc: readonly string[]): LinearPattern {
  const compiled = compile(pattern, loc)
  return {
    isIn: (text) => compiled.test(text),
    firstGroups(text, { most, anchor }) {
      const matcher = compiled.matcher(text)
      const group = compiled.groupCount() > 0 ? 1 : 0
      const found: (string | undefined)[] = []
      while (found.length < most && (anchor === "start" ? matcher.lookingAt() : matcher.find())) {
        found.push(matcher.group(group) ?? undefined)
        if (anchor === "start") break
      }
      return found
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
