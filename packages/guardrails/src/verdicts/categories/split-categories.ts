import { ABSENT_WORDS } from "../data/keys.ts"
import { plainWord } from "../text/plain-words.ts"

/** Splits a list of categories as a judge wrote it. Words that mean "none" are left out. */
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

/** Splits the list of an exact answer, which is empty in most of them. */
export function splitExact(list: string | undefined): readonly string[] {
  return list === undefined || list === "" ? NONE : splitCategories(list)
}
