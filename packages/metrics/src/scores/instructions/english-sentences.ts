import { trimEndAtSpace, trimStartAtSpace } from "../split-at-space.ts"
import { isAbbreviation, isStarter } from "./english-abbreviations.ts"
import { SPACE, skipSpace } from "./python-text.ts"

/** Texts that may end a sentence directly before a mark, and before white space. */
const CLOSED_END = new RegExp(String.raw`[.?!](?=[)";}\]*:@'({[!?]|${SPACE}+(?!${SPACE})[^])`, "gu")
const OPEN_END = /[.?!]$/
/** Marks after the end of a sentence that belong to it. */
const CLOSING = new RegExp(String.raw`^["')\]}]+(?=${SPACE}|--|$)`)
/** NLTK looks for words between blanks of ASCII. */
const WORDS = /[^ \t\n\r\v\f]+/g

/**
 * Splits an English text into sentences. It decides as the Punkt algorithm (Kiss and Strunk, 2006) does with a trained model, but knows
 * abbreviations and beginnings of sentences from a list: a period ends a sentence unless it ends an abbreviation, an initial, or a
 * number before a word in lower case. A text without a period at its end is a sentence too. Takes time linear in the text.
 */
export function splitSentences(text: string): readonly string[] {
  const whole = trimEndAtSpace(text)
  const words = [...whole.matchAll(WORDS)]
  const sentences: string[] = []
  let start = 0
  for (const [at, { index, 0: word }] of words.entries()) {
    const length = sentenceEnd(word, words[at + 1]?.[0])
    if (length === undefined) continue
    const next = skipSpace(whole, index + length)
    const closing = CLOSING.exec(whole.slice(next, next + MAX_TOKEN))?.[0]
    const end = closing === undefined ? index + length : next + closing.length
    sentences.push(whole.slice(start, end))
    start = end
  }
  const rest = trimStartAtSpace(whole.slice(start))
  return rest === "" ? sentences : [...sentences, rest]
}

/** Counts the sentences of an English text. */
export function countSentences(text: string): number {
  return splitSentences(text).length
}

/** Returns the length of the beginning of a word that ends a sentence; undefined if none does. @param next the word after it */
function sentenceEnd(word: string, next: string | undefined): number | undefined {
  const ends = [...word.matchAll(CLOSED_END)].map(({ index }) => index)
  if (next !== undefined && OPEN_END.test(word)) ends.push(word.length - 1)
  const last = ends.at(-1)
  if (last === undefined) return undefined
  // A mark inside the word ends a sentence also if the last one would not, as in `(What?!).`.
  const isOwnEnd = ends.some((at) => word[at] !== "." || isEndOf(lastToken(word, at), tokenAfter(word, at, next)))
  // Punkt looks at the whole next word as well, so that an end inside of it also ends the sentence here.
  const isEnd =
    isOwnEnd || (last === word.length - 1 && next !== undefined && sentenceEnd(next, undefined) !== undefined)
  return isEnd ? last + 1 : undefined
}

const MAX_TOKEN = 100
const SEPARATORS = new RegExp(String.raw`[)";}\]*:@({[]|(?=['!?])|-{2,}|\.{2,}|${SPACE}`)

/** Returns the part of a word that ends with the period at `at`, without marks before it. */
function lastToken(word: string, at: number): string {
  const tail = word.slice(Math.max(0, at + 1 - MAX_TOKEN), at + 1)
  if (tail.endsWith("..")) return ".."
  const part = tail.split(SEPARATORS).at(-1) ?? ""
  return part.replace(/^[\x60&#,-]+/, "")
}

/** Returns the first letters, or the mark, after the period at `at`. */
function tokenAfter(word: string, at: number, next = ""): string {
  const following = trimStartAtSpace(word.slice(at + 1, at + MAX_TOKEN)) || next
  return /^[\p{L}\p{N}_](?:[\p{L}\p{N}_'’.-]{0,40}[\p{L}\p{N}_])?/u.exec(following)?.[0] ?? following.charAt(0)
}

const NUMBER = /^-?[.,]?\p{Nd}[\p{Nd},.-]*$/u
const INITIAL = /^\p{L}\.$/u

/** Returns whether a token with a period ends a sentence before `next`. */
function isEndOf(token: string, next: string): boolean {
  if (token === "." || token === "") return true
  if (token === "..") return isStarter(next)
  const type = token.slice(0, -1).toLowerCase()
  const isInitial = INITIAL.test(token)
  if (isAbbreviation(type)) return !isInitial && isStarter(next)
  const isContinued = /^(?:\p{Ll}|[;:,.!?])/u.test(next)
  if (NUMBER.test(token)) return !isContinued
  if (isInitial) return !isContinued && (isStarter(next) || !/^\p{Lu}/u.test(next))
  return true
}
