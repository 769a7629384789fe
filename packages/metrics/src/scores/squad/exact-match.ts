import { checkReferences } from "../check-references.ts"
import { squadWords } from "./squad-words.ts"

/**
 * 1 where the candidate is one of the references after SQuAD's normalisation, else 0.
 * @throws `invalid_request` without references
 */
export function exactMatch(candidate: string, references: readonly string[]): number {
  checkReferences(references)
  if (references.includes(candidate)) return 1
  const own = squadWords(candidate)
  return references.some((reference) => isSame(own, squadWords(reference))) ? 1 : 0
}

function isSame(own: readonly string[], expected: readonly string[]): boolean {
  return own.length === expected.length && own.every((word, index) => word === expected[index])
}
