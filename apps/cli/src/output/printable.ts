/** Text of others, fit for a terminal: control characters, which could move the cursor, are shown as escapes. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}
