/** A question mark is no mark around a value: it leaves the value open. */
const AROUND = /^[\s"'`*_~\\]+|[\s"'`*_~\\.!,;:]+$/g

/**
 * A value as the vocabularies write it: in lower case, without the punctuation and the marks around it. Of a long text only the
 * beginning, which is no word of a vocabulary: what stands behind a word and many marks is not left out.
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
