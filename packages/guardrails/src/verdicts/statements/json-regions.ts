/** A part of a text that is valid JSON. */
export interface JsonRegion {
  readonly start: number
  readonly end: number
}

export interface JsonRegions {
  readonly regions: readonly JsonRegion[]
  /** Whether the last opened bracket is still open at the end of the text. */
  readonly isOpen: boolean
}

/**
 * Finds the objects and lists that are valid JSON. Bracketed text that is not valid is read as plain text, where a quotation mark
 * hides nothing. Each character is read a fixed number of times.
 */
export function findJsonRegions(text: string): JsonRegions {
  const regions: JsonRegion[] = []
  let depth = 0
  let start = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22 && depth > 0) {
      at = endOfString(text, at)
      continue
    }
    if (code === 0x7b || code === 0x5b) {
      if (depth === 0) start = at
      depth += 1
    } else if ((code === 0x7d || code === 0x5d) && depth > 0) {
      depth -= 1
      if (depth === 0 && isJson(text.slice(start, at + 1))) regions.push({ start, end: at + 1 })
    }
    at += 1
  }
  return { regions, isOpen: depth > 0 }
}

/** Returns the end of the string at `start`: after its closing quote, or at the end of the text. */
export function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    at += code === 0x5c ? 2 : 1
  }
  return text.length
}

/** Returns whether a text is a valid JSON object or list. */
export function isJson(text: string): boolean {
  // Checking the first character is much cheaper than an exception.
  if (!/^(?:\{\s*["}]|\[\s*["{[\]\d\-tfn])/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
