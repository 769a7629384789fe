/** A part of a text that is JSON to the letter. */
export interface JsonRegion {
  readonly start: number
  readonly end: number
}

export interface JsonRegions {
  readonly regions: readonly JsonRegion[]
  /** Whether the last bracket that was opened is still open where the text ends. */
  readonly isOpen: boolean
}

/**
 * Finds the objects and lists that parse. What is bracketed and does not parse is left to be read as text, where a quotation
 * mark hides nothing. Each character is looked at a fixed number of times.
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

/** Where the string that begins at `start` is over: after its closing quote, or at the end of the text. */
export function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    at += code === 0x5c ? 2 : 1
  }
  return text.length
}

/** Whether a text is an object or a list in JSON to the letter. */
export function isJson(text: string): boolean {
  // What no JSON begins with is told apart without an exception, which costs more than all the rest.
  if (!/^(?:\{\s*["}]|\[\s*["{[\]\d\-tfn])/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
