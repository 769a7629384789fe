/** Quotes a word for a POSIX shell. */
export function quoteForShell(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
