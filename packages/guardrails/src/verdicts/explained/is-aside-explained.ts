import { splitCategories } from "../categories.ts"
import { CATEGORY_KEYS, FIELD_KINDS, LABEL_KEYS, QUALIFIED_KEYS } from "../data/keys.ts"
import { HARM_STEM, HARM_WORD } from "../data/words.ts"
import { hasObjection, hasUnsafeLine } from "../objections/find-objection.ts"
import type { Aside } from "../statements/statement.ts"
import { plainKey } from "../text/plain-words.ts"
import { isAgreement, type Explained } from "./is-agreement.ts"
import { isExplained } from "./is-explained.ts"
import { areCategories, isAbsent, isFieldExplained } from "./is-field.ts"
import { isSubject } from "./is-sentence.ts"

const BELOW_CATEGORIES: ReadonlySet<string> = new Set([...CATEGORY_KEYS, "categoryscores", "categoryappliedinputtypes"])
/** Inputs that moderation endpoints list as checked. */
const INPUT_TYPES: ReadonlySet<string> = new Set(["text", "image", "audio"])
const ANNOUNCING: ReadonlySet<string> = new Set(
  "overall final content message safety rating level assessment status verdict prompt input output request conversation user assistant model response result classification label decision".split(
    " ",
  ),
)
const FEW = 3
const ONE_WORD = /^[\p{L}\p{N}_/-]{1,40}$/u

/**
 * Returns whether a value beside a safe verdict in a JSON text is understood. Texts under an explaining key are data: they quote
 * the user. A value under an unknown key must agree or explain, and a flag under one can mean anything.
 */
export function isAsideExplained({ key, parent = "", value }: Aside, explained: Explained): boolean {
  const plain = plainKey(key)
  const holder = plainKey(parent)
  if (key === "" && typeof value === "string" && INPUT_TYPES.has(value)) return true
  if (BELOW_CATEGORIES.has(holder)) return isCategoryEntry(key, value)
  if (BELOW_CATEGORIES.has(plain)) return typeof value !== "string" || areCategories(splitCategories(value))
  const kind = FIELD_KINDS.get(plain) ?? (key === "" ? FIELD_KINDS.get(holder) : undefined)
  if (kind === "explanation") return typeof value !== "string" || isData(value, explained)
  // The value of a verdict has to be a word or a number.
  if (value === undefined && QUALIFIED_KEYS.get(plain)?.vocabulary === "raised") return false
  if (value === undefined) return kind !== undefined || isOneWord(key)
  if (value === null || value === "") return kind !== undefined || LABEL_KEYS.has(plain) || isOneWord(key)
  if (kind === "fact" && typeof value !== "string") return true
  if (typeof value === "number") return isNumberExplained(value, kind, plain, key)
  const isKnown = isFieldExplained(key === "" ? parent : key, String(value), explained)
  if (isKnown === "text") return typeof value === "string" && isText(value, explained)
  if (isKnown !== undefined) return isKnown
  if (typeof value === "boolean") return false
  return isKeyOfText(key) && (isAgreement(value, explained) || isText(value, explained))
}

/** Returns whether a value under categories is known: whether each applies, how much, or to which kind of input. */
function isCategoryEntry(key: string, value: Aside["value"]): boolean {
  if (typeof value === "string") return key === "" ? areCategories([value]) : isAbsent(value.toLowerCase())
  if (value === true) return areCategories([key])
  return isSubject(key.replaceAll("_", " "), { saysNo: false, mayAccuse: true })
}

function isNumberExplained(value: number, kind: string | undefined, plain: string, key: string): boolean {
  if (kind === "harm" || HARM_WORD.test(plain)) return value < 0.5
  if (kind === "harmless") return value >= 0.5
  // A number as a verdict can mean anything.
  if (LABEL_KEYS.has(plain)) return false
  return kind === "confidence" || areCategories([key]) ? true : isOneWord(key)
}

/** Returns whether a text explains. A text of a few words is not a sentence and must contain only known words. */
function isData(value: string, explained: Explained): boolean {
  if (hasUnsafeLine(value)) return false
  return value.trim().split(/\s+/).length > FEW || isSubject(value, explained) || isExplained(value, explained)
}

function isText(value: string, explained: Explained): boolean {
  return value.length > 12 && !hasObjection(value) && isExplained(value, explained)
}

function isOneWord(key: string): boolean {
  return ONE_WORD.test(key) && isOneWordOrMore(key)
}

/**
 * Returns whether a key can have a text as its value: it is empty (in a list), one word, or words that each announce a verdict. A
 * key that is split could contain anything.
 */
function isKeyOfText(key: string): boolean {
  return key === "" || isOneWord(key) || key.split(/[\s_-]+/).every((word) => ANNOUNCING.has(word.toLowerCase()))
}

/** Returns whether a key consists of whole words, none of which means unsafe. */
function isOneWordOrMore(key: string): boolean {
  const isWhole = (part: string) =>
    !HARM_STEM.test(part.toLowerCase()) || part.split(/(?=[A-Z])/).some((word) => HARM_STEM.test(word.toLowerCase()))
  if (/off[_/-]?topic/i.test(key) || !key.split(/[_/-]/).every((part) => isWhole(part))) return false
  const words = key.replaceAll(/(?<=[a-z])(?=[A-Z])|[_/-]/g, " ")
  return isSubject(words, { saysNo: false, mayAccuse: false }) || areCategories([key])
}
