/** Whether text can be a value in every database: PostgreSQL takes no U+0000, and UTF-8 no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed()
}
