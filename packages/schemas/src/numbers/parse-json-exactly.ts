import { isExactNumber, nearestNumber } from "./exact-number.ts"
import { mayChange } from "./changing-numbers.ts"
import { parseExactJson } from "./parse-exact-json.ts"

const MAX_SHOWN = 40

/**
 * Parses JSON, and keeps the numbers that would change as `ExactNumber`s.
 * @throws `SyntaxError` for what is not JSON, and for a number that can't be kept, such as 1e400
 */
export function parseJsonExactly(text: string): unknown {
  if (!mayChange(text)) return JSON.parse(text)
  const { value, lost } = parseExactJson(text)
  if (lost === null) return value
  const shown = lost.text.length > MAX_SHOWN ? `${lost.text.slice(0, MAX_SHOWN)}…` : lost.text
  throw new SyntaxError(`The number ${shown} can't be kept, write it as text, at position ${lost.at}`)
}

/**
 * Parses the JSON of a record in which lists called `rows` are data of users. Numbers in those are as `parseJsonExactly` has them, and others are
 * the nearest of JavaScript, as schemas of records expect them.
 * @throws as `parseJsonExactly`
 */
export function parseJsonWithRows(text: string): unknown {
  return text.includes('"rows"') ? roundOutsideRows(parseJsonExactly(text)) : JSON.parse(text)
}

/** Changes `value`, which nobody else has. */
function roundOutsideRows(value: unknown): unknown {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return nearestNumber(value)
  for (const [key, part] of Object.entries(value)) {
    if (key === "rows" && Array.isArray(part)) continue
    const rounded: unknown = roundOutsideRows(part)
    // A key may be called `__proto__`, which can't be set by assignment.
    if (rounded !== part)
      Object.defineProperty(value, key, { value: rounded, enumerable: true, configurable: true, writable: true })
  }
  return value
}
