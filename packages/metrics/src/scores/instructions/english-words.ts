import { splitAtSpace } from "../split-at-space.ts"
import { splitSentences } from "./english-sentences.ts"
import { trimAtSpace } from "./python-text.ts"

/** Patterns that are separated from words, in this order. */
const SEPARATED: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/[«“‘„]|`+/g, " $& "],
  [/^"/, "``"],
  [/``/g, " $& "],
  [/([ ([{<])(?:"|'{2})/g, "$1 `` "],
  [/'(?!re|ve|ll|m|t|s|d|n)([\p{L}\p{N}_])(?![\p{L}\p{N}_])/giu, "' $1"],
  [/([:,])([^\p{Nd}])/gu, " $1 $2"],
  [/[:,]$/, " $& "],
  [/\.{2,}/g, " $& "],
  [/[;@#$%&]/g, " $& "],
  [/[?!]/g, " $& "],
  [/([^'])' /g, "$1 ' "],
  [/\*/g, " $& "],
  [/[\][(){}<>]/g, " $& "],
  [/--/g, " -- "],
]
/** Quotation marks and endings, in a text between two spaces. */
const ENDINGS: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/[»”’]/g, " $& "],
  [/''/g, " '' "],
  [/"/g, " '' "],
  [/([^' ])('[sS]|'[mM]|'[dD]|') /g, "$1 $2 "],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /g, "$1 $2 "],
  [/(?<![\p{L}\p{N}_])(can)(not)(?![\p{L}\p{N}_])/giu, " $1 $2 "],
  [/(?<![\p{L}\p{N}_])(d)('ye)(?![\p{L}\p{N}_])/giu, " $1 $2 "],
  [/(?<![\p{L}\p{N}_])(gim|lem)(me)(?![\p{L}\p{N}_])/giu, " $1 $2 "],
  [/(?<![\p{L}\p{N}_])(gon)(na)(?![\p{L}\p{N}_])/giu, " $1 $2 "],
  [/(?<![\p{L}\p{N}_])(got)(ta)(?![\p{L}\p{N}_])/giu, " $1 $2 "],
  [/(?<![\p{L}\p{N}_])(more)('n)(?![\p{L}\p{N}_])/giu, " $1 $2 "],
  [/(?<![\p{L}\p{N}_])(wan)(na)(?=\s)/giu, " $1 $2 "],
  [/ ('t)(is|was)(?![\p{L}\p{N}_])/giu, " $1 $2 "],
]
const CLOSERS = /[\])}>"'»”’ ]/

/**
 * Splits an English text into words and marks, as the Penn Treebank does and NLTK's `word_tokenize` after it: hyphenated words are one,
 * `CAN'T` and `CANNOT` are two. Source: MacIntyre, Treebank tokenization (1995).
 */
export function splitWords(text: string): readonly string[] {
  return splitSentences(text).flatMap((sentence) => {
    const separated = replaceAll(withoutPeriod(sentence), SEPARATED)
    return splitAtSpace(replaceAll(` ${separated} `, ENDINGS))
  })
}

function replaceAll(text: string, rules: typeof SEPARATED): string {
  return rules.reduce((done, [pattern, by]) => done.replace(pattern, by), text)
}

/** Separates the period at the end of a sentence, before closing marks. */
function withoutPeriod(sentence: string): string {
  const text = trimAtSpace(sentence)
  let end = text.length
  while (end > 0 && CLOSERS.test(text.charAt(end - 1))) end--
  const hasPeriod = end > 1 && text[end - 1] === "." && text[end - 2] !== "."
  return hasPeriod ? `${text.slice(0, end - 1)} . ${text.slice(end)} ` : text
}
