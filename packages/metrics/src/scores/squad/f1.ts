import { checkReferences } from "../check-references.ts"
import { squadWords } from "./squad-words.ts"

/**
 * The harmonic mean of precision and recall over the multiset of words after SQuAD's normalisation, 0 to 1: the best of all
 * references. Two empty texts give 1, one gives 0, as in SQuAD 2.0.
 * @throws `invalid_request` without references
 */
export function f1(candidate: string, references: readonly string[]): number {
  checkReferences(references)
  const own = squadWords(candidate)
  let best = 0
  for (const reference of references) best = Math.max(best, f1OfWords(own, squadWords(reference)))
  return best
}

function f1OfWords(own: readonly string[], expected: readonly string[]): number {
  if (own.length === 0 && expected.length === 0) return 1
  let matches = 0
  while (matches < own.length && own[matches] === expected[matches]) matches += 1
  const left = new Map<string, number>()
  for (const word of expected.slice(matches)) left.set(word, (left.get(word) ?? 0) + 1)
  for (const word of own.slice(matches)) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    matches += 1
    left.set(word, count - 1)
  }
  return (2 * matches) / (own.length + expected.length)
}
