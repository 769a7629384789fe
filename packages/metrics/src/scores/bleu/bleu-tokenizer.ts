import { splitAtSpace, trimEndAtSpace } from "../split-at-space.ts"
import type { BleuOptions } from "./bleu.ts"

const TOKENIZERS: Readonly<Record<NonNullable<BleuOptions["tokenizer"]>, (text: string) => readonly string[]>> = {
  "13a": tokenize13a,
  intl: tokenizeIntl,
  char: (text) => Array.from(splitAtSpace(text).join("")),
  none: splitAtSpace,
}

/** Returns the tokeniser that the options name. */
export function bleuTokenizer({
  tokenizer = "13a",
  lowercase = false,
}: BleuOptions): (text: string) => readonly string[] {
  const tokenize = TOKENIZERS[tokenizer]
  return lowercase ? (text) => tokenize(text.toLowerCase()) : tokenize
}

const PUNCTUATION = /[{-~[-`!-&(-+:-@/]/g
const AFTER_NO_DIGIT = /([^0-9])([.,])/g
const BEFORE_NO_DIGIT = /([.,])([^0-9])/g
const DASH_AFTER_DIGIT = /([0-9])(-)/g

/**
 * Splits a text into words and punctuation marks as mteval-v13a of WMT does. Points and commas stay inside numbers.
 * Source: `mteval-v13a.pl` (NIST), as implemented by sacreBLEU's tokeniser `13a` (Post, 2018, "A Call for Clarity in Reporting
 * BLEU Scores").
 */
export function tokenize13a(text: string): readonly string[] {
  let line = withoutMarkup(text).replace(PUNCTUATION, " $& ")
  if (line.includes(".") || line.includes(",")) {
    line = line.replace(AFTER_NO_DIGIT, "$1 $2 ").replace(BEFORE_NO_DIGIT, " $1 $2")
  }
  return splitAtSpace(line.includes("-") ? line.replace(DASH_AFTER_DIGIT, "$1 $2 ") : line)
}

function withoutMarkup(text: string): string {
  let line = trimEndAtSpace(text)
  if (line.includes("<skipped>")) line = line.replaceAll("<skipped>", "")
  if (line.includes("\n")) line = line.replaceAll("-\n", "").replaceAll("\n", " ")
  if (line.includes("&")) {
    line = line.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
  }
  return ` ${line} `
}

const INTL: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/(\P{N})(\p{P})/gu, "$1 $2 "],
  [/(\p{P})(\P{N})/gu, " $1 $2"],
  [/\p{S}/gu, " $& "],
]

/**
 * Splits a text at punctuation and symbols of all scripts as mteval-v14 with `--international-tokenization` does. Punctuation stays
 * inside numbers, and after a number at the end.
 * Source: `mteval-v14.pl` (NIST), as implemented by sacreBLEU's tokeniser `intl`.
 */
function tokenizeIntl(text: string): readonly string[] {
  return splitAtSpace(INTL.reduce((line, [pattern, by]) => line.replace(pattern, by), trimEndAtSpace(text)))
}
