/** JSON text, fit for a terminal: what JSON leaves of control characters is escaped, and means the same. */
export function printableJson(json: string): string {
  return json.replaceAll(
    /[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  )
}
