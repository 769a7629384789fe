import { trimEndAtSpace, trimStartAtSpace } from "../split-at-space.ts"

/** A character that Python's `\s` matches, for a pattern of ours. */
export const SPACE = String.raw`[\t-\r\u001C- \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]`

const IS_SPACE = new RegExp(SPACE)

/** Returns a text without white space at its ends, as Python's `str.strip` does. */
export function trimAtSpace(text: string): string {
  return trimStartAtSpace(trimEndAtSpace(text))
}

/** Returns a text without the characters `mark` at its ends. */
export function trimMarks(text: string, mark: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === mark) start++
  while (end > start && text[end - 1] === mark) end--
  return text.slice(start, end)
}

/** Returns whether Python's `str.isupper` is true: at least one letter with case, and none in lower or title case. */
export function isUpper(text: string): boolean {
  return /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text)
}

/** Returns whether Python's `str.islower` is true: at least one letter with case, and none in upper or title case. */
export function isLower(text: string): boolean {
  return /\p{Lowercase}/u.test(text) && !/[\p{Uppercase}\p{Lt}]/u.test(text)
}

/** Returns the position of the first character from `start` that is not white space. */
export function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && IS_SPACE.test(text.charAt(at))) at++
  return at
}

/** Counts the words of a text as Python's `\w+` finds them. Combining marks are not part of words. */
export function countWordCharacters(text: string): number {
  return text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0
}
