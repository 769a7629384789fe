import { ANY_TRIGGER, ASSERTED_HARM, DENIED } from "../data/objection-patterns.ts"
import { DENIED_NOUNS, HARM_STEM, HARM_WORD } from "../data/words.ts"
import { skeletonOf } from "../objections/skeleton.ts"
import { isAgreement, type Explained } from "./is-agreement.ts"
import { bareToken, isPlainToken } from "./is-plain-token.ts"

const FEWEST_WORDS = 3
/** Maximum number of words of a sentence that explains nothing: if one of them means unsafe, it is the message. */
const SHORT = 4
/** Scripts without spaces between words. */
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const CODE = /(?<![\p{L}\p{N}`])`[^`\n]{1,200}`(?![\p{L}\p{N}`])/gu
const ESCAPE = /%[\da-f]{2}|\\[xu0-7{]|&#/i

/** Returns whether a text is a sentence that explains: several whole words, none of which calls the message unsafe. */
export function isSentence(text: string, explained: Explained): boolean {
  const tokens = withoutCode(text)
    .split(/\s+/)
    .filter((token) => token !== "")
  const unparted = text.match(UNPARTED)?.length ?? 0
  if (tokens.filter((token) => /[\p{L}\p{N}]/u.test(token)).length < FEWEST_WORDS && unparted < FEWEST_WORDS)
    return false
  if (!tokens.every((token) => isPlainToken(token)) || isSpelledOut(tokens)) return false
  if (isVerbless(tokens)) return false
  if (explained.mayAccuse) return true
  return !hasAloneHarm(text, tokens, explained) && !assertsHarm(text)
}

/** Returns whether a few words end in "safe" without a verb: the rest of a key and of its value, as in `Usr Sanot safe`. */
function isVerbless(tokens: readonly string[]): boolean {
  const words = tokens.map((token) => bareToken(token))
  return words.length <= SHORT && words.at(-1) === "safe" && !words.some((word) => BEING.test(word))
}

const BEING =
  /^(?:is|are|was|were|be|being|it's|that's|seems?|looks?|sounds?|appears?|remains?|stays?|considered|rated|deemed|judged|classified|labell?ed|marked|found|as|completely|perfectly|totally|entirely)$/

/** Returns whether a text is a short value of an explaining key, such as the name of a subject. */
export function isSubject(text: string, { mayAccuse }: Explained): boolean {
  const tokens = text.split(/\s+/).filter((token) => token !== "")
  return !isSpelledOut(tokens) && tokens.every((token) => isPlainToken(token) && (mayAccuse || !holdsHarm(token)))
}

/** Returns whether a word, or a part of it between marks, means unsafe. */
function holdsHarm(token: string): boolean {
  return skeletonOf(bareToken(token))
    .split(/[^\p{L}]+/u)
    .some((part) => HARM_WORD.test(part))
}

/** Returns whether a text calls the message unsafe in a sentence. */
export function assertsHarm(text: string): boolean {
  const skeleton = skeletonOf(text)
  if (!ANY_TRIGGER.test(skeleton)) return false
  const shown = skeleton
    .replaceAll(/<[^<>\n]{0,40}>|["`*_~()[\]{}<>]+|(?<![a-z])'|'(?![a-z])/g, " ")
    .replaceAll(/[^\S\n]+/g, " ")
  for (const match of shown.matchAll(ASSERTED_HARM)) {
    const clause = /[^.!?;:\n,]*$/.exec(shown.slice(Math.max(0, match.index - 120), match.index))?.[0] ?? ""
    if (!DENIED.test(clause) && !/^[^.!\n]{0,80}\?/.test(shown.slice(match.index + match[0].length))) return true
  }
  return false
}

/** Removes quoted code, which is not part of the sentence. */
function withoutCode(text: string): string {
  if (!text.includes("`")) return text
  return text.replaceAll(CODE, (code) => (ESCAPE.test(code) || !isSafeCode(code) ? code : "code"))
}

/** Replaces quoted code that names no harm by one word, so that its marks do not split a sentence. */
export function withoutHarmlessCode(text: string): string {
  if (!text.includes("`")) return text
  return text.replaceAll(CODE, (code) => (ESCAPE.test(code) || !isSafeCode(code) || namesHarm(code) ? code : "code"))
}

function namesHarm(code: string): boolean {
  return (code.match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => holdsHarm(word)) || HARM_STEM.test(skeletonOf(code))
}

function isSafeCode(code: string): boolean {
  return (code.match(/[\p{L}\p{N}]+/gu) ?? []).every(
    (word) => word.length === 1 || /^\d+$/.test(word) || isPlainToken(word),
  )
}

/**
 * Returns whether single letters remain of a split word: a consonant, or two letters in a row. Single letters that are words in
 * some language are few.
 */
function isSpelledOut(tokens: readonly string[]): boolean {
  const isLeft = (token: string) => /^[^\p{L}\p{N}]*[b-df-hj-npqs-xz][^\p{L}\p{N}]*$/u.test(token)
  const isAlone = (token: string) => /^[^\p{L}\p{N}]*\p{L}[^\p{L}\p{N}]*$/u.test(token) && /[A-Za-z]/.test(token)
  return tokens.some((token, index) => isLeft(token) || (isAlone(token) && isAlone(tokens[index + 1] ?? "")))
}

/** Returns whether words after the name of a category rate it, or several ones. */
function isRating(words: readonly string[]): boolean {
  const ratings = words.map((word) => /(?<!\p{L})(?:un)?safe$/u.exec(skeletonOf(bareToken(word)))?.[0] ?? "")
  if (!ratings.includes("unsafe")) return false
  return (words.length <= SHORT && ratings.at(-1) === "unsafe") || ratings.filter((word) => word !== "").length > 1
}

/** A word of a verdict that other signs follow. */
const BEGINS_UNSAFE = /^(?:unsafe|off-?topic|invalid|violates)[^a-z]/

/** Returns whether a word that means unsafe is the message of a short sentence, or a whole part between commas. */
function hasAloneHarm(text: string, tokens: readonly string[], explained: Explained): boolean {
  const [first = "", second = ""] = tokens
  if (HARM_WORD.test(skeletonOf(bareToken(first))) && !DENIED_NOUNS.has(bareToken(second))) return true
  if (BEGINS_UNSAFE.test(skeletonOf(first))) return true
  const isDenied = DENIED.test(skeletonOf(text)) || isAgreement(text, explained)
  if (isDenied) return false
  if (tokens.length <= SHORT && tokens.some((token) => holdsHarm(token))) return true
  return text.split(/[,，、()[\]]/).some((part) => {
    const [word = "", ...others] = part.trim().split(/\s+/)
    if (isRating(others)) return true
    return (
      others.length < 3 && HARM_WORD.test(skeletonOf(bareToken(word))) && !/^(?:violen|hate|abus|explicit)/i.test(word)
    )
  })
}
