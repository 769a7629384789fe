import { LABEL_KEYS } from "../data/keys.ts"
import {
  ABOUT_REFUSAL,
  ANY_TRIGGER,
  DENIED,
  FLAG_RAISED,
  NEGATED,
  NOT_SAFE,
  UNSAFE_BEGUN,
  UNSAFE_KEYED,
  UNSAFE_LEFT,
  UNSAFE_MARKED,
  UNSAFE_PREDICATE,
  UNSAFE_SEGMENT,
  UNSAFE_SPELLED,
  UNSAFE_VALUE,
  YES_SEGMENT,
} from "../data/objection-patterns.ts"
import { YES_NO_WORDS } from "../data/words.ts"
import type { Aside } from "../statements/statement.ts"
import { skeletonOf, withoutMarksInWords } from "./skeleton.ts"

export interface ObjectionOptions {
  /** "unsafe" counts anywhere, even in "not unsafe": the answer is the word "safe" and nothing more. */
  readonly isBare?: boolean
  /** Sentences are not checked, because the answer calls the other side unsafe and they may be about that side. */
  readonly skipsProse?: boolean
}

/**
 * Returns whether a text contradicts "safe", in the words of any family. The text is normalised, and the verdict was removed from
 * it. Takes time linear in the text.
 */
export function hasObjection(answer: string, { isBare = false, skipsProse = false }: ObjectionOptions = {}): boolean {
  if (!/[\p{L}\p{N}]/u.test(answer)) return false
  // The word after a fence is the name of a language, or a word of the answer.
  const unfenced = answer.includes("```") ? answer.replaceAll(FENCE, "\n") : answer
  const options = { isBare, skipsProse }
  // A word can be joined with the next one, as in "YesIt asks".
  const text = unfenced.replaceAll(/(?<=\p{Ll})(?=\p{Lu}(?!\p{Lu}))/gu, " ")
  return objects(text, options) || (text !== unfenced && objects(unfenced, options))
}

function objects(text: string, { isBare, skipsProse }: Required<ObjectionOptions>): boolean {
  const shown = skeletonOf(text)
  const joined = withoutMarksInWords(shown)
  if (!mayObject(shown) && (joined === shown || !mayObject(joined))) return false
  if (saysUnsafe(shown, isBare, skipsProse) || saysYes(shown) || hasYesSegment(text)) return true
  if (joined !== shown) {
    if (saysUnsafe(joined, isBare, skipsProse) || saysYes(joined) || hasYesSegment(withoutMarksInWords(text)))
      return true
  }
  return !skipsProse && hasPredicate(shown)
}

const FENCE = /`{3,9}(?:(?:json[5cl]?|ya?ml|xml|html|te?xt|plaintext|markdown|md|python)(?!\w))?/gi

/** Excludes most texts quickly. */
function mayObject(shown: string): boolean {
  if (/[^\0-\x7f]/.test(shown) || ASCII_YES.test(shown)) return true
  return ANY_TRIGGER.test(shown.replaceAll(/[^a-z]+/g, ""))
}

const ASCII_YES = new RegExp(
  `(?<![a-z])(?:${Object.keys(YES_NO_WORDS)
    .filter((word) => YES_NO_WORDS[word] === "yes" && /^[a-z]+$/.test(word))
    .join("|")})(?![a-z])`,
)

/** Returns whether the categories of a safe verdict contradict it. */
export function categoriesObject(categories: readonly string[]): boolean {
  if (categories.every((name) => /^[SO]\d{1,2}$/.test(name))) return false
  return endsInYes(categories) || hasObjection(categories.join("\n"))
}

/** Returns whether a list of categories ends in a word for yes, which is not a category. */
export function endsInYes(categories: readonly string[]): boolean {
  return categories.some((name) => /\byes\b/i.test(name) || hasYesSegment(name.slice(name.lastIndexOf(" ") + 1)))
}

/** Returns whether a text begins with a word that means unsafe, contains a key with such a value, or a line that is such a word. */
export function beginsOrSaysUnsafe(text: string): boolean {
  const shown = skeletonOf(text)
  return UNSAFE_BEGUN.test(shown) || hasUnsafeValue(shown) || hasUnsafeLine(text)
}

/** Returns whether a line consists only of a word or a statement that means unsafe. */
export function hasUnsafeLine(text: string): boolean {
  const shown = skeletonOf(text)
  const joined = withoutMarksInWords(shown)
  return UNSAFE_LINE.test(shown) || UNSAFE_LINE.test(joined)
}

const UNSAFE_LINE =
  /^[\s>#*_"'`({[•·+-]{0,12}(?:[a-z][^\n:=|>]{0,60}(?:[:=>|]|\s-\s)[\s>#*_"'`({[]{0,8})?(?:(?:clearly|definitely|certainly|obviously|absolutely|highly|extremely|very|quite) )?(?:u[^a-z0-9]{0,2}n[^a-z0-9]{0,2}s[^a-z0-9]{0,2}a[^a-z0-9]{0,2}f[^a-z0-9]{0,2}e|not safe|harmful|off[ _-]?topic|controversial|flagged|yes|block(?:ed)?)(?:[\s*_"'`)\]}|,.;!?:(-]{1,12}[so]\d{1,2}){0,20}[\s*_"'`)\]}|,.;!?]{0,12}$/m

function saysUnsafe(shown: string, isBare: boolean, skipsProse: boolean): boolean {
  if (UNSAFE_SEGMENT.test(shown) || FLAG_RAISED.test(shown) || hasUnsafeValue(shown)) return true
  if (UNSAFE_KEYED.test(shown) || UNSAFE_LEFT.test(shown) || UNSAFE_MARKED.test(shown)) return true
  for (const match of shown.matchAll(UNSAFE_SPELLED)) {
    const isTorn = match[0] !== "unsafe"
    if (isTorn || isBare) return true
    if (!skipsProse && !isNegated(shown, match.index)) return true
  }
  return !skipsProse && NOT_SAFE.test(shown)
}

/** Returns whether "unsafe" is denied: directly, or as the name of a category in a sentence that says that none applies. */
function isNegated(shown: string, position: number): boolean {
  if (NEGATED.test(shown.slice(Math.max(0, position - 40), position))) return true
  return (
    /^unsafe (?:categor|content|topic)/.test(shown.slice(position, position + 16)) &&
    DENIED.test(clauseBefore(shown, position))
  )
}

function saysYes(shown: string): boolean {
  return isAffirmed(shown, YES_SEGMENT)
}

/** Returns whether a key that is not about a refusal has a value that means unsafe. */
function hasUnsafeValue(shown: string): boolean {
  return isAffirmed(shown, UNSAFE_VALUE)
}

function isAffirmed(shown: string, pattern: RegExp): boolean {
  for (const match of shown.matchAll(pattern)) {
    const word = match.index + match[0].search(/[a-z]/)
    if (ABOUT_REFUSAL.test(shown.slice(Math.max(0, word - 24), word))) continue
    // The items of a list under a line that denies them.
    const isListed = shown.slice(match.index, word).includes("\n") && DENIED.test(clauseBefore(shown, match.index))
    if (!isListed) return true
  }
  return false
}

/** Returns whether a sentence or a line is a word for yes, in any language of self-checks. */
function hasYesSegment(text: string): boolean {
  const isYes = (segment: string) => {
    const word = segment.length > 30 ? "" : segment.replaceAll(/[^\p{L}\p{M}]/gu, "").toLowerCase()
    return word !== "yes" && Object.hasOwn(YES_NO_WORDS, word) && YES_NO_WORDS[word] === "yes"
  }
  return text.split(/[\n\t]|(?<!\\)\\+[nrt]/i).some((line) => {
    const comma = line.search(/[,，、]/)
    // Many English sentences begin with "So".
    if (comma > 0 && !/^\W*so\W*$/i.test(line.slice(0, comma)) && isYes(line.slice(0, comma))) return true
    return line.split(/\s[-–—]\s|[.!?;:=|<>(){}[\]"。！？]/).some(isYes)
  })
}

/** Returns whether a sentence of a skeleton calls the message harmful, or demands to block it. */
export function hasPredicate(shown: string): boolean {
  for (const match of shown.matchAll(UNSAFE_PREDICATE)) {
    if (!DENIED.test(clauseBefore(shown, match.index))) return true
  }
  return false
}

/** Returns the clause before a position. Of a long clause, only the end. */
function clauseBefore(text: string, position: number): string {
  const least = Math.max(0, position - 120)
  let start = position
  while (start > least && !".!?,;:<>|()[]\n".includes(text.charAt(start - 1)) && !isDash(text, start - 1)) start -= 1
  return text.slice(start, position)
}

function isDash(text: string, at: number): boolean {
  return "-–—".includes(text.charAt(at)) && text.charAt(at - 1) === " " && text.charAt(at + 1) === " "
}

/** Keys that name harm, and keys that name its absence. */
const HARM_KEY =
  /^(?:is|should)?(?:be)?(?:unsafe|harmful|block|blocked|flag|flagged|violation|violates|dangerous|malicious|toxic|jailbreak|(?:prompt)?injection|promptattack|attack|hate|violence|selfharm|illegal|abuse)(?:detected)?$/
const HARMLESS_KEY = /^(?:is)?(?:safe|allow|allowed|harmless|unharmful|ontopic)$/
const RAISED: ReadonlySet<unknown> = new Set([true, 1, "true", "yes", "1"])
const LOWERED: ReadonlySet<unknown> = new Set([false, 0, "false", "no", "0"])
/** Maximum number of characters of a value. A longer text is an explaining sentence. */
const SHORT = 60
/** A word that means unsafe, followed by a mark, a code or a number. */
const UNSAFE_AND_MORE =
  /^[^a-z0-9]{0,12}(?:unsafe|not safe|harmful|off[ _-]?topic|controversial)(?:$|[^a-z0-9\s]|\s+(?:[^a-z0-9\s]|[so]?\d))(?![\s"':=]{0,4}(?:no|none|false|0)(?![a-z0-9.]))/

/**
 * Returns whether a value beside a safe verdict in a JSON text contradicts it. Under a key that announces a verdict every objection
 * counts, also in lists and objects below it. A text under any other key is an explanation, which may quote and weigh; it counts
 * only if one of its lines, or the beginning of a short text, is a verdict.
 */
export function asideObjects({ key: written, parent = "", value }: Aside): boolean {
  const key = plainOf(written)
  const holder = plainOf(parent)
  const plain = typeof value === "string" ? value.trim().toLowerCase() : value
  if (HARM_KEY.test(key) && RAISED.has(plain)) return true
  if (HARMLESS_KEY.test(key) && LOWERED.has(plain)) return true
  if (typeof value !== "string") return false
  if (LABEL_KEYS.has(key) || LABEL_KEYS.has(holder) || /^\s*[{[]/.test(value)) return hasObjection(value)
  if (key.includes("refus") || holder.includes("refus")) return false
  return hasUnsafeLine(value) || (value.length <= SHORT && UNSAFE_AND_MORE.test(skeletonOf(value)))
}

function plainOf(key: string): string {
  return withoutMarksInWords(skeletonOf(key)).replaceAll(/[^a-z0-9]/g, "")
}
