import { AGREEING_WORDS, COURTESIES, DENIED_NOUNS, FILLING_WORDS, HARM_WORD, YES_NO_WORDS } from "../data/words.ts"
import { bareToken } from "./is-plain-token.ts"

/** Facts about the verdict whose surrounding text is checked. */
export interface Explained {
  /** The verdict is a word for no, so a second no agrees with it. */
  readonly saysNo: boolean
  /** The answer calls the other side unsafe, so its sentences may be about that side. */
  readonly mayAccuse: boolean
  /** The keys that may follow the verdict without a value, or be cut: they say nothing about its side. Default: none. */
  readonly open?: ReadonlySet<string>
}

/** A level of confidence, or a percentage. */
const LEVEL =
  /^(?:very )?(?:high|low|medium|moderate|full|certain|\d{1,3}(?:[.,]\d{1,8})?(?:e-?\d{1,3})? ?%?|\d{1,3} ?\/ ?\d{1,3})$/i
const SURE =
  /^(?:(?:very )?(?:high|full) confidence|(?:very )?(?:low|minimal) (?:risk|severity|harm)|confident|(?:(?:it )?is )?on topic|(?:confidence|certainty|score) \S{1,8}|\S{1,4}% confiden(?:t|ce))$/
/** Separators between phrases. */
const PARTED = /[.!?;:,]\s|\s[([{]|\s[-–—]|[-=]>|[|→⇒]/
const MAX_WORDS = 8
const LONGEST = 80

/**
 * Returns whether a short phrase agrees with a safe verdict: words that say that all is well, or "no" with the name of a problem.
 * Every word must be known, because an unknown word can mean anything.
 */
export function isAgreement(phrase: string, { saysNo }: Explained): boolean {
  if (phrase.length > LONGEST || PARTED.test(phrase)) return false
  const words = wordsOf(phrase)
  if (words.length === 0) return true
  if (words.length > MAX_WORDS) return false
  const plain = words.join(" ")
  if (COURTESIES.test(plain) || SURE.test(plain)) return true
  const [first = ""] = words
  if (words.length === 1 && saysNo && Object.hasOwn(YES_NO_WORDS, first) && YES_NO_WORDS[first] === "no") return true
  if (first === "no" || first === "zero" || first === "without") return deniesHarm(words.slice(1))
  if (first === "not" || first === "never") return deniesWord(words.slice(1))
  return (
    words.every((word) => AGREEING_WORDS.has(word) || FILLING_WORDS.has(word)) &&
    words.some((word) => AGREEING_WORDS.has(word))
  )
}

export function isLevel(value: string): boolean {
  return LEVEL.test(wordsOf(value).join(" "))
}

export function wordsOf(phrase: string): readonly string[] {
  return phrase
    .replaceAll(/["'*_`()[\]{}]/g, " ")
    .replaceAll(/\bn\/a\b/gi, "na")
    .split(/\s+/)
    .map((word) => bareToken(word))
    .filter((word) => word !== "" && word !== "-" && word !== "✅" && word !== "✔")
}

/** Returns whether "no" is followed by problems that are absent, as in "No issues found", and not by praise for the message. */
function deniesHarm(words: readonly string[]): boolean {
  const isKnown = (word: string) => DENIED_NOUNS.has(word) || FILLING_WORDS.has(word) || isHarm(word)
  return words.length > 0 && words.every((word) => isKnown(word)) && words.some((word) => !FILLING_WORDS.has(word))
}

function isHarm(word: string): boolean {
  return HARM_WORD.test(word) && !word.startsWith("y")
}

function deniesWord(words: readonly string[]): boolean {
  const isKnown = (word: string) => isHarm(word) || FILLING_WORDS.has(word) || word === "applicable"
  return words.length > 0 && words.every((word) => isKnown(word)) && words.some((word) => !FILLING_WORDS.has(word))
}
