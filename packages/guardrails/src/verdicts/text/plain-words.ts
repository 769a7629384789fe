/** A key as the tables of keys write it: in lower case, with neither blanks, marks nor underscores. Other signs make another key. */
export function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[\s\p{P}`~|+=<>^$]/gu, "")
}

/** A question mark is no mark around a value: it leaves the value open. */
const AROUND = /^[\s"'`*_~\\]+|[\s"'`*_~\\.!,;:]+$/g

/**
 * Returns a value as the vocabularies write it: in lower case, without the punctuation and the marks around it. A long text is
 * cut, and what is left is not a word of a vocabulary, so that nothing after a word and many marks is ignored.
 */
export function plainWord(text: string): string {
  if (text.length > LONGEST) return plainWord(text.slice(0, LONGEST).trimEnd()) + MORE
  return text
    .replaceAll(AROUND, "")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim()
}

/** No word of a vocabulary comes near; it keeps a text that is no word at all from being worked on. */
const LONGEST = 200
const MORE = "…"

/** A line that is one word or two, as vocabularies write it; brackets and list marks around it are no part of it. */
export function bareWord(line: string): string {
  return line.length > 60
    ? ""
    : plainWord(line.replace(/^[\s>#*_"'`([-]{1,20}/, "").replace(/[\s*_"'`)\].!,;:]{1,20}$/, ""))
}

/** The lines of an answer that says a word and no key: without blank ones and the fences around code. */
export function bareLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:`{3,}|~{3,})\s{0,3}\w{0,20}$/.test(line))
}
