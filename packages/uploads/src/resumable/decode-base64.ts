/**
 * Decodes base64 with or without padding (RFC 4648, section 4). Returns undefined for other texts: `Buffer.from` skips what is not base64, and
 * ends at the first `=`.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  const digits = text.length - padding
  // A search for a wrong character takes no stack, also in a text of many megabytes.
  const wrong = text.search(/[^A-Za-z0-9+/]/)
  if ((wrong !== -1 && wrong < digits) || digits % 4 === 1 || (padding > 0 && text.length % 4 !== 0)) return undefined
  return Buffer.from(text, "base64")
}
