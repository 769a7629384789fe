import { areCategoryNames, splitCategories } from "../categories.ts"
import {
  ABSENT_WORDS,
  CATEGORY_KEYS,
  FIELD_KINDS,
  LABEL_KEYS,
  QUALIFIED_KEYS,
  VERDICT_KEYS,
  VOCABULARIES,
  type FieldKind,
} from "../data/keys.ts"
import { DENIED_NOUNS, FILLING_WORDS, HARM_WORD } from "../data/words.ts"
import { hasObjection } from "../objections/find-objection.ts"
import { isBeginning } from "../statements/read-value.ts"
import { plainKey, plainWord } from "../text/plain-words.ts"
import { isAgreement, isLevel, wordsOf, type Explained } from "./is-agreement.ts"
import { assertsHarm, isSubject } from "./is-sentence.ts"

/** Values after the name of a harm that is absent. */
const ABSENT_HARM =
  /^(?:no|none|false|null|nil|never|n\/?a|absent|clear|safe|pass(?:ed)?|not (?:detected|present|applicable|found|violated|triggered|relevant)|does not apply|very low|low|minimal|negligible|0(?:[.,][0-4]\d{0,8})?|\d(?:\.\d{1,8})?e-\d{1,3}|0 ?\/ ?\d{1,3})$/
const RAISED = /^(?:yes|true|1|safe|ok|pass(?:ed)?)$/
const REFUSAL = /^(?:yes|no|true|false|compliance|refusal|none|null|not applicable|n\/?a)?$/
const REFUSAL_KEYS: ReadonlySet<string> = new Set(
  "refusal responserefusal refused isrefusal modelrefusal completion".split(" "),
)
/** A code of a table, or of a policy, such as `H2.f`. */
const CODE = /^(?:[SO]\d{1,2}|[A-Z]{1,3}\d{1,2}\.[a-z\d]{1,2})$/
const FACT = /^[\p{L}\p{N}\s._:/+-]{0,80}$/u

/**
 * Returns whether a field beside a verdict agrees with "safe". `text`: the key is known and its value must be sentences. Undefined:
 * the key is unknown.
 */
export function isFieldExplained(key: string, value: string, explained: Explained): boolean | "text" | undefined {
  const plain = plainKey(key)
  const word = plainWord(value)
  if (CATEGORY_KEYS.has(plain)) return areCategories(splitCategories(value))
  if (VERDICT_KEYS.has(plain)) return ABSENT_WORDS.has(word)
  const qualified = QUALIFIED_KEYS.get(plain)
  if (qualified !== undefined && isBeginning(word, Object.keys(VOCABULARIES[qualified.vocabulary]))) return false
  if (REFUSAL_KEYS.has(plain)) return REFUSAL.test(word)
  if (LABEL_KEYS.has(plain)) return isAgreement(value, explained)
  const kind = FIELD_KINDS.get(plain)
  if (kind !== undefined) return isKindExplained(kind, value, explained)
  return isCategory(key) || isOfKnownWords(key) ? isAbsent(word) || asText(value) : undefined
}

function isKindExplained(kind: FieldKind, value: string, explained: Explained): boolean | "text" {
  const word = plainWord(value)
  switch (kind) {
    case "confidence":
      return word === "" || isLevel(value)
    case "explanation":
      return (value.split(/\s+/).length <= 3 && !/[:=]/.test(value) && isSubject(value, explained)) || "text"
    case "fact":
      return FACT.test(value) && isSubject(value, explained) && !hasObjection(value) && !assertsHarm(value)
    case "harm":
      return isAbsent(word) || isAgreement(value, explained) || asText(value)
    case "harmless":
    default:
      return RAISED.test(word) || asText(value)
  }
}

/** Returns whether each name is a code, a category of some family, or a word for none. */
export function areCategories(names: readonly string[]): boolean {
  return names.every(
    (name) => CODE.test(name) || isCategory(name) || isAgreement(name, { saysNo: false, mayAccuse: false }),
  )
}

export function isAbsent(word: string): boolean {
  return word === "" || ABSENT_HARM.test(word)
}

function isCategory(name: string): boolean {
  const [code = "", ...rest] = name.trim().split(/(?<=^[SO]\d{1,2})(?![\p{L}\p{N}])/iu)
  const written = /^[SO]\d{1,2}$/i.test(code) ? rest.join("").replace(/^[\s:.)–—-]+/, "") : name.trim()
  if (written === "") return code !== ""
  if (!/^[\p{L}\s/()&,'._-]{1,80}$/u.test(written) || /\bnon$/i.test(written)) return false
  return areCategoryNames(written.replaceAll(/[._]/g, " "))
}

/** Returns whether a key names harm in words that are known individually, as in "Violence or threats". */
function isOfKnownWords(key: string): boolean {
  return wordsOf(key).every((word) => DENIED_NOUNS.has(word) || FILLING_WORDS.has(word) || isCategory(word))
}

function asText(value: string): "text" | false {
  const first = plainWord(value.split(/[\s,]/, 1)[0] ?? "")
  return value.trim().split(/\s+/).length > 3 && !HARM_WORD.test(first) && "text"
}
