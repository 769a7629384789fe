const LONGEST = 200

/** `text` in quotes, fit for a message: what can't be seen is escaped, and what is long is cut. */
export function quotePath(text: string): string {
  const start = text
    .slice(0, LONGEST)
    .replaceAll(/[\p{C}\p{Z}]/gu, (character) =>
      character === " " ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    )
  return text.length > LONGEST ? `'${start}…'` : `'${start}'`
}
