import { categoryNamesOf } from "../category-names-of.ts"
import { FIELD_KINDS } from "../data/field-keys.ts"
import { HARM_WORD } from "../data/harm-words.ts"
import { LABEL_KEYS } from "../data/label-keys.ts"
import { ABSENT_WORDS, CATEGORY_KEYS, VERDICT_KEYS } from "../data/verdict-keys.ts"
import { plainKey } from "../plain-key.ts"
import { plainWord } from "../plain-word.ts"
import { splitCategories } from "../split-categories.ts"
import type { Explained } from "./explained.ts"
import { isAgreement, isLevel } from "./is-agreement.ts"
import { isSentence, isSubject } from "./is-sentence.ts"

/** What stands behind the name of a harm that is not there. */
const ABSENT_HARM =
  /^(?:no|none|false|null|nil|never|n\/?a|absent|clear|safe|pass(?:ed)?|not (?:detected|present|applicable|found|violated|triggered|relevant)|does not apply|very low|low|minimal|negligible|0(?:[.,][0-4]\d{0,8})?|\d(?:\.\d{1,8})?e-\d{1,3}|0 ?\/ ?\d{1,3})$/
const RAISED = /^(?:yes|true|1|safe|ok|pass(?:ed)?)$/
const REFUSAL = /^(?:yes|no|true|false|compliance|refusal|none|null|not applicable|n\/?a)?$/
const FACT = /^[\p{L}\p{N}\s._:/+-]{0,80}$/u

/**
 * Whether a field beside a verdict agrees with "safe". Undefined: the key is not one that is known, and what stands behind it is
 * read as a text.
 */
export function isFieldExplained(key: string, value: string, explained: Explained): boolean | undefined {
  const plain = plainKey(key)
  const word = plainWord(value)
  if (CATEGORY_KEYS.has(plain)) return areCategories(splitCategories(value))
  if (VERDICT_KEYS.has(plain)) return ABSENT_WORDS.has(word)
  if (plain.includes("refus")) return REFUSAL.test(word)
  if (LABEL_KEYS.has(plain)) return explained.mayAccuse || isAgreement(value, explained)
  switch (FIELD_KINDS.get(plain)) {
    case "confidence":
      return word === "" || isLevel(value)
    case "explanation":
      return isSubject(value, explained) || undefined
    case "fact":
      return FACT.test(value) && isSubject(value, explained)
    case "harm":
      return explained.mayAccuse || isAbsent(word) || isAgreement(value, explained) || asSentence(value, explained)
    case "harmless":
      return RAISED.test(word) || asSentence(value, explained)
    default:
      return isCategory(key) ? isAbsent(word) || asSentence(value, explained) : undefined
  }
}

/** Whether each name is a code, the name of a category of some family, or says that there is none. */
export function areCategories(names: readonly string[]): boolean {
  return names.every((name) => isCategory(name) || isAgreement(name, { saysNo: false, mayAccuse: false }))
}

export function isAbsent(word: string): boolean {
  return word === "" || ABSENT_HARM.test(word)
}

function isCategory(name: string): boolean {
  const [code = "", ...rest] = name.trim().split(/(?<=^[SO]\d{1,2})(?![\p{L}\p{N}])/iu)
  const written = /^[SO]\d{1,2}$/i.test(code) ? rest.join("").replace(/^[\s:.)–—-]+/, "") : name.trim()
  if (written === "") return code !== ""
  if (!/^[\p{L}\s/()&,'._-]{1,80}$/u.test(written) || /\bnon$/i.test(written)) return false
  return categoryNamesOf(written.replaceAll(/[._]/g, " ")) !== undefined
}

function asSentence(value: string, explained: Explained): true | undefined {
  return isSentence(value, explained) && !HARM_WORD.test(plainWord(value.split(/[\s,]/, 1)[0] ?? "")) ? true : undefined
}
