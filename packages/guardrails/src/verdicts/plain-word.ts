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
