import { invalidRequest } from "@assay/schemas"
import { RE2JS } from "re2js"

/** A regular expression that is searched in linear time, since patterns come from users. */
export interface LinearPattern {
  /** Whether it matches anywhere in the text. */
  isIn(text: string): boolean
  /**
   * Returns the first group of each match in order, or the whole match if the pattern has no group. With `start`, only a match at the beginning of the text counts. At most `most` matches are looked for, because each
   * search may read the text to its end.
   */
  firstGroups(
    text: string,
    options: { readonly most: number; readonly anchor?: "start" | undefined },
  ): readonly FoundGroup[]
}

/** The first group of a match. */
export interface FoundGroup {
  /** Undefined: the group is not part of the match. */
  readonly value: string | undefined
  /** Where it begins and ends in the text. */
  readonly start: number
  readonly end: number
  /** Where the whole match begins and ends. */
  readonly match: { readonly start: number; readonly end: number }
}

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
      const found: FoundGroup[] = []
      while (found.length < most && (anchor === "start" ? matcher.lookingAt() : matcher.find())) {
        const match = { start: matcher.start(), end: matcher.end() }
        const value = matcher.group(group) ?? undefined
        found.push({ value, start: matcher.start(group), end: matcher.end(group), match })
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
