import { VERDICT_KEYS } from "./data/verdict-keys.ts"
import { plainKey } from "./plain-key.ts"

/** "Safe" alone is a word, and no beginning of "Safety". */
const SHORTEST = 4

/** Whether the last line of an answer is the beginning of a key: the answer was cut before it said anything. */
export function endsInKey(text: string): boolean {
  const line = text.slice(text.lastIndexOf("\n") + 1)
  const begun = line.length > 40 ? "" : plainKey(line)
  return begun.length > SHORTEST && [...VERDICT_KEYS.keys()].some((key) => key.startsWith(begun))
}
