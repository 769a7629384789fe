import { ABSENT_WORDS, VOCABULARIES, type Vocabulary } from "./data/verdict-keys.ts"
import { plainWord } from "./plain-word.ts"
import type { Value } from "./statement.ts"

/** Reads the whole value of a key by its vocabulary. It never takes a part of a value for the value. */
export function readValue(value: unknown, vocabulary: Vocabulary): Value {
  if (value === null) return "absent"
  const isFlag = vocabulary === "flag" || vocabulary === "safe-flag"
  const text = isFlag && typeof value === "boolean" ? String(value) : value
  if (typeof text !== "string" || text.length > 200) return "unknown"
  const word = plainWord(text)
  if (ABSENT_WORDS.has(word)) return "absent"
  return Object.hasOwn(VOCABULARIES[vocabulary], word) ? (VOCABULARIES[vocabulary][word] ?? "unknown") : "unknown"
}

/** Whether a text that ends here may be the beginning of one of the vocabulary's words. */
export function isBeginning(text: string, words: readonly string[]): boolean {
  const begun = plainWord(text)
  return begun !== "" && words.some((word) => word !== begun && word.startsWith(begun))
}
