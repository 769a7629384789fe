/** A question mark is no mark around a value: it leaves the value open. */
const AROUND = /^[\s"'`*_~\\]+|[\s"'`*_~\\.!,;:]+$/g

/** A value as the vocabularies write it: in lower case, without the punctuation and the marks around it. */
export function plainWord(text: string): string {
  return text
    .slice(0, LONGEST)
    .replaceAll(AROUND, "")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim()
}

/** No word of a vocabulary comes near; it keeps a text that is no word at all from being worked on. */
const LONGEST = 200
