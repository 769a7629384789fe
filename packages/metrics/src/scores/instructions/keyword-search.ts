import { isAssayError, AssayError } from "@assay/schemas"
import { createLinearPattern } from "../checks/create-linear-pattern.ts"

/** Where a keyword is looked for. */
export interface KeywordSearch {
  readonly isIn: (text: string) => boolean
  /** Counts matches that do not overlap. */
  readonly count: (text: string) => number
}

interface KeywordOptions {
  /** Whether the keyword is a whole word: no other letter, digit or `_` continues it. */
  readonly isWord?: boolean
  /** Whether case counts. */
  readonly isExact?: boolean
  /** The end of the pattern, after the keyword. */
  readonly tail?: string
}

/** A character with a meaning in patterns. */
const PATTERN = /[\\^$.*+?()[\]{}|]/
/** Matches of a keyword in one answer that are counted. */
const MAX_MATCHES = 1_000_000

/**
 * Compiles a keyword of IFEval, which the reference takes as a regular expression of Python. A keyword without special characters is looked
 * for as it is; any other one is a pattern of RE2, so that each search takes linear time.
 * @throws `rows_invalid` for a pattern that RE2 can't search for
 */
export function searchKeyword(
  keyword: string,
  { isWord = false, isExact = false, tail = "" }: KeywordOptions = {},
): KeywordSearch {
  if (!PATTERN.test(keyword)) {
    const [before, after] = isWord ? [boundaryAt(keyword, 0), boundaryAt(keyword, -1)] : ["", ""]
    const pattern = new RegExp(`${before}${keyword}${after}${tail}`, isExact ? "gu" : "giu")
    return {
      isIn: (text) => text.search(pattern) >= 0,
      count: (text) => text.match(pattern)?.length ?? 0,
    }
  }
  const edge = isWord ? String.raw`\b` : ""
  const pattern = linearPattern(`${isExact ? "" : "(?i)"}${edge}${keyword}${edge}${tail}`, keyword)
  return {
    isIn: (text) => pattern.isIn(text),
    count: (text) => pattern.firstGroups(text, { most: MAX_MATCHES }).length,
  }
}

const LETTER = String.raw`[\p{L}\p{N}_]`

/** Returns Python's `\b` beside the first (0) or last (−1) character of a keyword: the neighbour is of the other kind. */
function boundaryAt(keyword: string, at: 0 | -1): string {
  const character = Array.from(keyword).at(at) ?? ""
  const isLetter = /[\p{L}\p{N}_]/u.test(character)
  const look = at === 0 ? "?<" : "?"
  return isLetter ? `(${look}!${LETTER})` : `(${look}=${LETTER})`
}

function linearPattern(pattern: string, keyword: string): ReturnType<typeof createLinearPattern> {
  try {
    return createLinearPattern(pattern, ["keyword"])
  } catch (error) {
    if (!isAssayError(error, "invalid_request")) throw error
    const message = `The keyword '${keyword.slice(0, 80)}' is not a pattern of RE2; write '\\' before characters such as ( and [.`
    throw new AssayError("rows_invalid", message, { cause: error })
  }
}
