import { findDuplicateKey } from "./duplicate-key.ts"
import { parseJsonExactly } from "./parse-exact-json.ts"

/**
 * Parses JSON as `parseJsonExactly`, and refuses an object that has a key twice, because readers differ in which value they take.
 * @throws `SyntaxError`, and what `parseJsonExactly` throws
 */
export function parseUniqueJson(text: string): unknown {
  const value = parseJsonExactly(text)
  const twice = findDuplicateKey(text, value, true)
  if (twice !== undefined) throw new SyntaxError(`The key '${twice.key}' is there twice.`)
  return value
}
