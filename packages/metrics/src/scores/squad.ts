import { checkReferences } from "./check-references.ts"
import { splitAtSpace } from "./split-at-space.ts"

/**
 * Returns 1 if the candidate equals a reference after SQuAD's normalisation, else 0.
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

/**
 * Returns the harmonic mean of precision and recall over the multiset of words after SQuAD's normalisation, 0 to 1. The best
 * reference counts. Two empty texts score 1, and one empty text scores 0, as in SQuAD 2.0.
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

const MARKS = /[!-/:-@[-`{-~]/g
const ARTICLES = /(?<![\p{L}\p{N}_])(?:an?|the)(?![\p{L}\p{N}_])/gu
const SPACE = 32
const LAST_OF_ASCII = 127

/**
 * Returns the words that are compared: in lower case, without ASCII punctuation, and without a, an and the.
 * Source: Rajpurkar et al., 2016, official evaluation script of SQuAD.
 */
export function squadWords(text: string): readonly string[] {
  const lower = text.toLowerCase()
  return asciiWords(lower) ?? splitAtSpace(lower.replace(MARKS, "").replace(ARTICLES, " "))
}

/** Finds the words of an ASCII text in one pass. Returns undefined if the text has any other character. */
function asciiWords(lower: string): readonly string[] | undefined {
  const words: string[] = []
  let word = ""
  let start = 0
  for (let at = 0; at <= lower.length; at += 1) {
    const code = at === lower.length ? SPACE : lower.charCodeAt(at)
    if (code < SPACE || code >= LAST_OF_ASCII) return undefined
    if (isLetterOrDigit(code)) continue
    if (at > start) word = word === "" ? lower.slice(start, at) : word + lower.slice(start, at)
    start = at + 1
    if (code !== SPACE) continue
    if (word !== "" && word !== "a" && word !== "an" && word !== "the") words.push(word)
    word = ""
  }
  return words
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
}
