/**
 * Returns a key as the tables of keys write it: in lower case, without spaces, marks and underscores. Other signs make another key.
 */
export function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[\s\p{P}`~|+=<>^$]/gu, "")
}

/** Marks around a value. A question mark is not one of them: it leaves the value open. */
const AROUND = /^[\s"'`*_~\\]+|[\s"'`*_~\\.!,;:]+$/g

/**
 * Returns a value as the vocabularies write it: in lower case, without the punctuation and the marks around it. A long text is cut,
 * and the result is not a word of a vocabulary, so that nothing after a word and many marks is ignored.
 */
export function plainWord(text: string): string {
  if (text.length > LONGEST) return plainWord(text.slice(0, LONGEST).trimEnd()) + MORE
  return text
    .replaceAll(AROUND, "")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim()
}

/** Maximum number of characters. Words of vocabularies are much shorter, so longer texts need no work. */
const LONGEST = 200
const MORE = "…"

/**
 * Returns a line of one or two words as vocabularies write it, without the brackets and list marks around it. Returns an empty text
 * for a longer line.
 */
export function bareWord(line: string): string {
  return line.length > 60
    ? ""
    : plainWord(line.replace(/^[\s>#*_"'`([-]{1,20}/, "").replace(/[\s*_"'`)\].!,;:]{1,20}$/, ""))
}

/** Returns the lines of an answer without keys, without empty lines and code fences. */
export function bareLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !FENCE.test(line))
}

/** A line that begins or ends a block of code. Any other word after the marks can be an answer. */
const FENCE = /^(?:`{3,}|~{3,})\s{0,3}(?:json[5cl]?|ya?ml|xml|html|te?xt|plaintext|markdown|md|python)?$/i
