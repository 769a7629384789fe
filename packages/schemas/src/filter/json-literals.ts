/**
 * Reads the JSON string that begins with the quote at `start`. Returns its value and the offset after its end; undefined if it has no
 * end, an unknown escape, a control character, or text that no record can contain.
 */
export function scanJsonString(text: string, start: number): { value: string; end: number } | undefined {
  let last = start + 1
  while (last < text.length && text[last] !== '"') last += text[last] === "\\" ? 2 : 1
  const value = decode(text.slice(start, last + 1))
  return value !== undefined && isStorableText(value) ? { value, end: last + 1 } : undefined
}

function decode(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted)
    return typeof value === "string" ? value : undefined
  } catch {
    return undefined
  }
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Parses a JSON number; undefined if the text is not one, or is beyond the range of doubles. */
export function parseJsonNumber(text: string): number | undefined {
  if (!JSON_NUMBER.test(text)) return undefined
  const value = Number(text)
  // There is one zero: `-0` is written and compared as 0.
  return Number.isFinite(value) ? value + 0 : undefined
}

/** Returns whether every database can store a text. PostgreSQL rejects U+0000, and UTF-8 can't encode half a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed()
}
