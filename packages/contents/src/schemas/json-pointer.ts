/** Escapes a property name for use as one token of a JSON pointer (RFC 6901). */
export function escapePointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1")
}

/** Returns the property name that a token of a JSON pointer means. */
export function unescapePointerToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~")
}
