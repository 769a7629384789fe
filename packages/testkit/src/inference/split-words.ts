/** Splits a text into words, each with the blanks after it. Blanks at its beginning are a part of their own. */
export function splitWords(text: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  // Searches blanks only: a pattern for words would keep a position for each character of a word of megabytes.
  for (const { index, 0: blanks } of text.matchAll(/\s+/g)) {
    parts.push(text.slice(start, index + blanks.length))
    start = index + blanks.length
  }
  return start < text.length ? [...parts, text.slice(start)] : parts
}

/** Counts the words of a text. Anything else has none. */
export function countWords(text: unknown): number {
  if (typeof text !== "string") return 0
  return splitWords(text).filter((part) => part.trim() !== "").length
}
