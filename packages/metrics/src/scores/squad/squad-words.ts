import { splitAtSpace } from "../split-at-space.ts"

const MARKS = /[!-/:-@[-`{-~]/g
const ARTICLES = /(?<![\p{L}\p{N}_])(?:an?|the)(?![\p{L}\p{N}_])/gu
const SPACE = 32
const LAST_OF_ASCII = 127

/**
 * The words by which answers are compared: lower case, without ASCII punctuation and without a, an and the.
 * Source: Rajpurkar et al., 2016, official evaluation script of SQuAD.
 */
export function squadWords(text: string): readonly string[] {
  const lower = text.toLowerCase()
  return asciiWords(lower) ?? splitAtSpace(lower.replace(MARKS, "").replace(ARTICLES, " "))
}

/** In one pass, as most texts allow; undefined where a character needs more care. */
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
