import { AssayError } from "../errors/assay-error.ts"

/** What a JSON text from outside may hold, so that no reader of it runs out of stack or blocks for seconds. */
export interface JsonLimits {
  /** Levels of objects and lists inside each other. */
  readonly depth: number
  /** Objects, lists and keys together. */
  readonly parts: number
  /** Elements and properties together. */
  readonly values: number
  /** Keys of one object: to read an object takes longer than it is long. */
  readonly keys: number
}

/** What a body of a request may hold. */
export const JSON_LIMITS = {
  depth: 64,
  parts: 250_000,
  values: 500_000,
  keys: 20_000,
} as const satisfies JsonLimits

/** The first place at which a JSON text exceeds a limit. */
interface JsonExcess {
  readonly limit: keyof JsonLimits
  readonly position: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Measures JSON text before it is parsed, in one pass without recursion. It stops at the first excess, so a hostile text
 * costs no more than its permitted part. Text that is not JSON is measured by its brackets and parentheses as well.
 */
export function findJsonExcess(text: string, limits: JsonLimits = JSON_LIMITS): JsonExcess | undefined {
  // Each level and each part needs a character of its own.
  if (text.length <= limits.depth) return undefined
  let depth = 0
  let parts = 0
  let values = 0
  const keys = new Uint32Array(limits.depth + 1)
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case 0x28: // (, which nests in the text form of filters and stands nowhere in JSON
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

/** The offset of the quote that ends the string which begins at `start`, or the end of a text that never closes it. */
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

/**
 * Refuses JSON text that exceeds JSON_LIMITS, before anybody parses it.
 * @param loc where the text stands in the request, as in a ValidationIssue
 * @throws `invalid_request`
 */
export function checkJsonShape(text: string, loc: readonly (string | number)[]): void {
  const excess = findJsonExcess(text)
  if (excess !== undefined) throw jsonExcess(excess, loc)
}

/** What a text has that exceeds a limit, and what to do instead. */
const EXCESS: Readonly<Record<keyof typeof JSON_LIMITS, (most: number) => readonly [what: string, remedy: string]>> = {
  depth: (most) => [`is nested deeper than ${most} levels`, "send it flatter"],
  parts: (most) => [`has more than ${most} objects, lists and keys`, "send it in several requests"],
  values: (most) => [`has more than ${most} elements and properties`, "send it in several requests"],
  keys: (most) => [`has an object of more than ${most} keys`, "send a list, or several objects"],
}

/** The error for text that exceeds one of JSON_LIMITS. */
export function jsonExcess({ limit, position }: JsonExcess, loc: readonly (string | number)[]): AssayError {
  const most = JSON_LIMITS[limit]
  const [what, remedy] = EXCESS[limit](most)
  const msg = `The JSON ${what} at position ${position}; ${remedy}`
  const type = limit === "depth" ? "json_too_deep" : "json_too_many_parts"
  return new AssayError("invalid_request", `${loc.join(".")}: ${msg}`, {
    issues: [{ loc: [...loc], msg, type, ctx: { limit: most, position } }],
  })
}
