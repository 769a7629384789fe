/** Limits of JSON text from outside, so that reading it can't exhaust the stack or block for seconds. */
export interface JsonLimits {
  /** Levels of nested objects and lists. */
  readonly depth: number
  /** Objects, lists and keys together. */
  readonly parts: number
  /** Elements and properties together. */
  readonly values: number
  /** Keys of one object. Reading an object takes more than linear time. */
  readonly keys: number
}

/** The limits of request bodies. */
export const JSON_LIMITS = {
  depth: 64,
  parts: 250_000,
  values: 500_000,
  keys: 20_000,
} as const satisfies JsonLimits

/** The first position at which JSON text exceeds a limit. */
export interface JsonExcess {
  readonly limit: keyof JsonLimits
  readonly position: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Finds the first position at which JSON text exceeds a limit, in one pass without recursion. The time depends only on the text before
 * that position. Text that is not JSON is measured by its brackets and parentheses.
 */
export function findJsonExcess(text: string, limits: JsonLimits = JSON_LIMITS): JsonExcess | undefined {
  // A shorter text can't exceed a limit: each level and each part has at least one character.
  if (text.length <= limits.depth) return undefined
  let depth = 0
  let parts = 0
  let values = 0
  // Not a typed array, which takes longer to allocate than a short text to read.
  const keys = [0]
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case 0x28: // (, which nests in the text form of filters and does not occur in JSON
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        if (depth > limits.depth) return { limit: "depth", position: at }
        parts += 1
        if (parts > limits.parts) return { limit: "parts", position: at }
        keys[depth] = 0
        break
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
      case 0x3a: // :
        parts += 1
        if (parts > limits.parts) return { limit: "parts", position: at }
        keys[depth] = (keys[depth] ?? 0) + 1
        if ((keys[depth] ?? 0) > limits.keys) return { limit: "keys", position: at }
        break
      case 0x2c: // ,
        values += 1
        if (values >= limits.values) return { limit: "values", position: at }
        break
    }
  }
  return undefined
}

/** Returns the offset of the quote that ends the string at `start`; the length of the text if it has no end. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
    if ((end - first) % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}
