import { ABSENT_WORDS } from "../data/verdict-keys.ts"
import { plainWord } from "../text/plain-words.ts"

/** A list of categories as a judge wrote it, taken apart; words that say that there are none are left out. */
export function splitCategories(list: string): readonly string[] {
  return list
    .split(/[,;\n]/)
    .map((part) => trimMarks(part))
    .filter((part) => part !== "" && !ABSENT_WORDS.has(plainWord(part)))
}

function trimMarks(part: string): string {
  const bare = part.trim().replace(/^(?:[-*•·]\s+|["'`*_[\s]+)/, "")
  return bare.replace(/["'`*_\]\s]{1,20}$/, "").trim()
}

const NONE: readonly string[] = []

/** The list of an exact answer; most have none. */
export function splitExact(list: string | undefined): readonly string[] {
  return list === undefined || list === "" ? NONE : splitCategories(list)
}
