import { DAMAGED_HARM, HARM_STEM, HARM_WORD, HARMLESS_WORD, YES_NO_WORDS } from "../data/words.ts"
import { skeletonOf } from "../objections/skeleton.ts"

const LONGEST = 45
const LATIN = /^[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]+$/
/** The scripts of the languages of judges. A word belongs to one of them. */
const SCRIPTS =
  "Cyrillic Greek Arabic Hebrew Devanagari Bengali Tamil Telugu Kannada Malayalam Gujarati Gurmukhi Sinhala Thai Lao Khmer Myanmar Armenian Georgian Ethiopic Hangul"
    .split(" ")
    .map((script) => String.raw`[\p{Script=${script}}\p{M}]+`)
    .concat(String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+`)
const NATURAL = new RegExp(`^(?:${SCRIPTS.join("|")})$`, "u")
const NUMBER = /^[-+~±]?[$€£]?\d[\d.,:/]*(?:%|st|nd|rd|th|s|x|k|m|am|pm|°|°c|°f)?$/i
const LINK = /^https?:\/\/[\w./?=&#:~-]{1,200}$/i
const INITIALS = /^(?:[A-Z]\.){1,4}$/i
const WITH_DIGITS = /^(?:[A-Za-z]{1,12}\d{1,4}|\d{1,4}[A-Za-z]{1,3})$/
/** Signs between the words of a sentence. */
const SIGN = /^(?:[-–—&+/=…•·<>]{1,2}|[✅✔👍🟢🙂😊]\uFE0F?)$/u
/** Signs around a word of a sentence. */
const AROUND = /^["'([{*_~¿¡„]+|["')\]}*_~,.;:!?…。、，！？؟۔।]+$/g

/** Returns whether a token is a plain word for a reader: whole, of one script, and not a disguise of a word that means unsafe. */
export function isPlainToken(written: string): boolean {
  if (written.length > LONGEST) return LINK.test(written.replaceAll(AROUND, ""))
  if (/^[a-z]+$/.test(written)) return isPlainWord(written)
  if (INITIALS.test(written) || SIGN.test(written)) return true
  const token = written.replaceAll(AROUND, "")
  if (token === "") return !/[\\%]/.test(written)
  if (/^[a-z]+$/.test(token)) return isPlainWord(token)
  if (NUMBER.test(token)) return true
  if (LINK.test(token)) return !HARM_STEM.test(skeletonOf(token))
  const parts = token.replace(/(?<=^[A-Z])(?:\+\+|#)$/, "").split(/[-‐–—/'.&_,:]+/)
  if (parts.length > 8 || parts.filter((part) => part.length === 1).length > 2) return false
  if (!parts.every((part) => part === "" || /^\d+$/.test(part) || isPlainWord(part))) return false
  if (parts.length === 1) return true
  if (token.includes(".") && parts.some((part) => isYes(part.toLowerCase()))) return false
  const whole = skeletonOf(parts.join(""))
  return !HARM_STEM.test(whole) || parts.some((part) => HARM_STEM.test(skeletonOf(part)))
}

/** Returns whether letters are a word of a natural script, neither doubled nor joined with a word that means unsafe. */
function isPlainWord(word: string): boolean {
  if (word.length < 3 && /^[a-z]+$/.test(word)) return true
  if (!LATIN.test(word) && !NATURAL.test(word) && !WITH_DIGITS.test(word)) return false
  if (/([a-z])\1\1/i.test(word) && !/^(?:www|iii|aaa)$/i.test(word)) return false
  if (/^(?:(\p{L})\1){3,}$/iu.test(word) || /^(\p{L}{3,})\1+$/iu.test(word)) return false
  if (isGlued(word)) return false
  const seen = /^[a-z]+$/.test(word) ? word : skeletonOf(word)
  if (seen !== word.toLowerCase() && HARM_WORD.test(seen)) return false
  if (DAMAGED_HARM.has(seen)) return false
  const single = seen.replaceAll(/(.)\1+/g, "$1")
  if (single !== seen && (DAMAGED_HARM.has(single) || HARM_STEM.test(single)) && !HARM_STEM.test(seen)) return false
  return !HARM_STEM.test(seen) || HARM_WORD.test(seen) || HARMLESS_WORD.test(seen)
}

/** The border between two words that are joined, as in `YesThe`, `INVALIDThe` and `JSONYes`. */
const JOINT = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** A word that begins or ends with "yes", and the whole words that do. */
const GLUED_YES = /^yes(?!ter|hiv|eni|$)|.yes$/
const WHOLE_YES = /^(?:(?:bull)?s?eyes|(?:fish|red)eyes|(?:good)?byes|dyes|lyes|ryes|ayes|hayes|reyes|keyes|noyes)$/
/** A word that contains "safe". */
const SAFE_INSIDE = /^(?:un|fail)?safe(?:ly|r|st|ty|ness|guard(?:s|ed|ing)?|keeping|word|s|d|house|zone)?$/

/** Returns whether a word of a verdict is joined with another word, so that neither is known to be whole. */
function isGlued(word: string): boolean {
  const lower = word.toLowerCase()
  if (lower.includes("safe") && !SAFE_INSIDE.test(lower)) return true
  if (/\p{Ll}\p{Lu}{3,}\p{Ll}|\p{Lu}{4,}\p{Ll}{3,}/u.test(word)) return true
  const parts = word.split(JOINT)
  if ([word, ...parts].some((part) => holdsYes(part.toLowerCase()))) return true
  return parts.length > 1 && parts.some((part) => isVerdictWord(part.toLowerCase()))
}

function holdsYes(word: string): boolean {
  return GLUED_YES.test(word) && !WHOLE_YES.test(word) && !HARM_WORD.test(word)
}

function isVerdictWord(word: string): boolean {
  return HARM_WORD.test(word) || DAMAGED_HARM.has(word) || VERDICT_WORD.test(word) || isYes(word)
}

const VERDICT_WORD = /^(?:safe|unharmful|true|off|non?|not)$/

/** Returns whether a word in lower case means yes in a language of self-checks. "So" begins many English sentences. */
export function isYes(word: string): boolean {
  return word !== "so" && Object.hasOwn(YES_NO_WORDS, word) && YES_NO_WORDS[word] === "yes"
}

/** Returns a word in lower case, without the signs around it. */
export function bareToken(token: string): string {
  return /^[a-z]+$/.test(token) ? token : token.replaceAll(AROUND, "").toLowerCase()
}
