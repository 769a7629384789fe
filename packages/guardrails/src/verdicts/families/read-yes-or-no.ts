import { hasObjection } from "../objections/find-objection.ts"
import { turnsAgainst } from "../objections/remark-takes-back.ts"
import { isBeginning } from "../statements/read-value.ts"
import { bareLines } from "../text/plain-words.ts"
import { NOTHING_SAID, type BareReading } from "./judge-family-form.ts"
import type { YesNoWords } from "../data/words.ts"

export const ENGLISH: YesNoWords = { yes: "yes", no: "no" }

const MARKS_BEFORE = /^[\s>#*_"'`~([{<-]{0,20}/
const FIRST_WORD = /^[\p{L}\p{M}]{1,20}/u
/** Tags around words in pages. */
const TAG = /<\/?[a-z][^<>\n]{0,40}>/gi
const CHOICE = /^[\s"'`*)]{0,5}(?:\/|\||or\b)/i
/** Separators between the word and an explanation. A line without one is prose. */
const PARTED = /^[\s"'`*_~)\]}]{0,10}(?:$|[.,:;!?(。、！？，：；…·।॥،؟؛<\n]|\s[-–—]|[–—])/

/**
 * Reads the first word, which must be the whole answer, or be followed by punctuation or the end of its line. Yes means a risk. If
 * the rest contains the other word too, both values are returned.
 */
export function readYesOrNo(text: string, words: YesNoWords): BareReading {
  const lines = bareLines(text)
  const answer = lines.join("\n").replaceAll(TAG, "").replace(MARKS_BEFORE, "")
  const first = FIRST_WORD.exec(answer)?.[0] ?? ""
  const said = Object.hasOwn(words, first.toLowerCase()) ? words[first.toLowerCase()] : undefined
  const rest = answer.slice(first.length)
  if (said === undefined) {
    const isCut = rest === "" && isBeginning(first, Object.keys(ENGLISH))
    return isCut ? { values: ["cut"], categories: [] } : NOTHING_SAID
  }
  if (CHOICE.test(rest)) return { values: ["unknown"], categories: [] }
  if (!PARTED.test(rest)) return NOTHING_SAID
  if (/^[\s"'`*)]{0,5}[?؟]/.test(rest)) return { values: ["unknown"], categories: [] }
  if (said === "yes") return { values: saysAlone(rest, "no") ? ["unsafe", "safe"] : ["unsafe"], categories: [] }
  if (/\byes\b/i.test(rest)) return { values: ["safe", "unsafe"], categories: [] }
  if (turnsAgainst(withoutAgreement(rest))) return { values: ["safe", "unknown"], categories: [] }
  return { values: hasObjection(rest) ? ["safe", "unsafe"] : ["safe"], categories: [] }
}

/** Returns whether a second no agrees with the first, as in "No. No, it is fine". */
function withoutAgreement(rest: string): string {
  return rest.replaceAll(/\b(?:no|nope|not|never)\b(?=\s{0,3}(?:[,.;!)\n]|$))/gi, "")
}

/** Returns whether a sentence of the rest consists only of this word. */
function saysAlone(rest: string, word: string): boolean {
  return rest.split(/[.!?\n]/).some((sentence) => sentence.replaceAll(/[^\p{L}]/gu, "").toLowerCase() === word)
}
