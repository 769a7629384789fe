/**
 * The JSON string that begins with the quote at `start`, and the offset behind its end; undefined where it has no end, an
 * escape that JSON doesn't know, a control character, or what no record can hold.
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

/** The number that `text` writes in JSON; undefined where it writes none, or one beyond the range of doubles. */
export function parseJsonNumber(text: string): number | undefined {
  if (!JSON_NUMBER.test(text)) return undefined
  const value = Number(text)
  // There is one zero: `-0` is written and compared as 0.
  return Number.isFinite(value) ? value + 0 : undefined
}

/** Whether text can be a value in every database: PostgreSQL takes no U+0000, and UTF-8 no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed()
}
