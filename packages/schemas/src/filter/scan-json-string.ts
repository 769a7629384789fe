import { isStorableText } from "./is-storable-text.ts"

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
