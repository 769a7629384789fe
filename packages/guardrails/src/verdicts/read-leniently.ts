import type { JudgeFamily, UnreadableReason } from "@assay/schemas"
import type { RailDirection } from "../verdict-reading.ts"
import { ANNOUNCED, LABEL_BEFORE, VERDICT_KEYS } from "./data/keys.ts"
import { BARE_FAMILIES, detectKeyed } from "./detect-family.ts"
import { isAsideExplained } from "./explained/is-aside-explained.ts"
import { isExplained } from "./explained/is-explained.ts"
import { areCategories } from "./explained/is-field.ts"
import { openKeys } from "./explained/open-keys.ts"
import { FAMILY_FORMS } from "./families/all-families.ts"
import { mergeValues, type Merged } from "./merge-values.ts"
import { asideObjects, endsInYes, hasObjection } from "./objections/find-objection.ts"
import { remarkTakesBack } from "./objections/remark-takes-back.ts"
import { findStatements, type Found } from "./statements/find-statements.ts"
import type { Statement } from "./statements/statement.ts"
import { plainKey } from "./text/plain-words.ts"

/** The verdict in an answer that is not in its canonical form. */
export interface LenientReading {
  readonly family: JudgeFamily | null
  readonly merged: Merged
  readonly categories: readonly string[]
  readonly score?: number | undefined
}

/** A yes or no that counts although no family was requested: a line with nothing else, or a score. */
const IS_YES_OR_NO = /^[^\p{L}\p{N}]{0,20}(?:yes|no)[^\p{L}\p{N}\n]{0,20}(?:\n|<|$)|<score>/iu

/** Reads a normalised answer whose reasoning was removed. */
export function readLeniently(
  text: string,
  family: JudgeFamily | undefined,
  direction: RailDirection,
  isCut: boolean,
): LenientReading {
  const found = findStatements(text, isCut)
  const keyed = family === undefined ? detectKeyed(found.statements, text) : family
  if (keyed !== undefined && hasKeys(keyed, found))
    return readKeyed(text, found, { family: keyed, asked: family, direction, isCut })
  const candidates = family === undefined ? BARE_FAMILIES : [family]
  const answer = withoutLabel(found.text, family)
  // Only the family defines what an announced yes or no means.
  const isGuess = family === undefined && /^\P{L}{0,20}(?:yes|no)(?!\p{L})/iu.test(answer)
  for (const candidate of candidates) {
    if (family === undefined && candidate === "granite-guardian" && !IS_YES_OR_NO.test(text)) continue
    if (family === undefined && candidate === "dynaguard" && !/<\/?answer>/i.test(text)) continue
    const reading = FAMILY_FORMS[candidate].readBare?.(isGuess ? text : answer)
    if (reading === undefined || reading.values.length === 0) continue
    const own = reading.values.map((value): Statement => ({
      side: "direction",
      group: "bare",
      value,
      isJson: false,
      isAnchored: true,
    }))
    // Without a family, "safe" may be the rest of "Safety: Unsafe" that the token limit cut off.
    if (family === undefined && isCut && /^\s*safe\s*$/i.test(text)) break
    const merged = mergeValues(own, found.statements, direction)
    const { rest, categories } = reading
    const beside = rest === undefined ? found : { ...found, rest }
    return {
      family: candidate,
      merged: unlessDenied(merged, beside, rest === undefined ? text : undefined),
      categories,
    }
  }
  return { family: family ?? null, merged: { reason: reasonOf(text, found, isCut) }, categories: [] }
}

/** Returns whether an answer is read by the keys of its family. Some families have keys, or one word instead. */
function hasKeys(family: JudgeFamily, { statements }: Found): boolean {
  const { group, readBare } = FAMILY_FORMS[family]
  return group !== "bare" && (readBare === undefined || statements.some((statement) => statement.group === group))
}

interface KeyedOptions {
  /** The family whose keys are read. */
  readonly family: JudgeFamily
  /** The family that was asked. Undefined: any. */
  readonly asked: JudgeFamily | undefined
  readonly direction: RailDirection
  readonly isCut: boolean
}

function readKeyed(text: string, found: Found, { family, asked, direction, isCut }: KeyedOptions): LenientReading {
  const { group } = FAMILY_FORMS[family]
  const own = asked === undefined ? found.statements : found.statements.filter((statement) => statement.group === group)
  const foreign = asked === undefined ? [] : found.statements.filter((statement) => statement.group !== group)
  const merged = mergeValues(own, foreign, direction)
  const { categories, score } = found
  const isSilent = merged.reason === "no_verdict" && own.length === 0
  return {
    family,
    merged: isSilent ? { reason: reasonOf(text, found, isCut) } : unlessDenied(merged, found),
    categories,
    score,
  }
}

/**
 * Accepts a safe verdict only if nothing else in the answer contradicts it, in the words of any family. `bare` is an answer without
 * keys, whose words are its verdict.
 */
function unlessDenied(merged: Merged, found: Found, bare?: string): Merged {
  if (merged.reason !== null) return merged
  const { user, response } = merged
  if (user !== "safe" && response !== "safe") return merged
  const isOtherUnsafe = user === "unsafe" || response === "unsafe"
  const options = { skipsProse: isOtherUnsafe, isBare: bare !== undefined && startsSafe(bare) }
  const isDenied =
    hasObjection(found.rest, options) ||
    endsInYes(found.categories) ||
    hasDoubtedSafe(found.rest) ||
    LOST_KEY.test(found.rest) ||
    found.asides.some((aside) => asideObjects(aside))
  if (isDenied) return { reason: "contradictory" }
  const open = openKeys(found.statements)
  const beside = { saysNo: bare !== undefined && !startsSafe(bare), mayAccuse: isOtherUnsafe, open }
  const isUnderstood =
    isExplained(found.rest, beside) &&
    areCategories(found.categories) &&
    found.asides.every((aside) => isAsideExplained(aside, beside))
  return isUnderstood ? merged : { reason: "unknown_value" }
}

/** A flag beside an object, whose key is lost. */
const LOST_KEY = /[,{[]\s{0,9}["']?true["']?\s{0,9}(?:[,}\]]|$)/i

/** Returns whether a second word that means safe, on a line of its own, is taken back there. */
function hasDoubtedSafe(text: string): boolean {
  for (const [, remark = ""] of text.matchAll(
    /^[\s>#*_"'`({[-]{0,12}(?:safe|on-topic|no(?= {0,2}\?))(?![\p{L}\p{N}])([^\n]{0,200})/gimu,
  )) {
    if (remarkTakesBack(remark)) return true
  }
  return false
}

function startsSafe(text: string): boolean {
  return /^[^\p{L}]{0,40}safe/iu.test(text)
}

/** Removes the words that announce the answer: `Answer: No`, and in a self-check `The answer is no.` */
function withoutLabel(text: string, family: JudgeFamily | undefined): string {
  return text.replace(family === "self-check" ? ANNOUNCED : LABEL_BEFORE, "").replace(LABEL_BEFORE, "")
}

function reasonOf(text: string, found: Found, isCut: boolean): UnreadableReason {
  return isCut || found.isOpen || endsInKey(text) ? "truncated" : "no_verdict"
}

/** Minimum number of letters of a truncated key. "Safe" alone is a word, not the beginning of "Safety". */
const SHORTEST = 4

/** Returns whether the last line is the beginning of a key, so that the answer was cut before its value. */
function endsInKey(text: string): boolean {
  const line = text.slice(text.lastIndexOf("\n") + 1)
  const begun = line.length > 40 ? "" : plainKey(line)
  return begun.length > SHORTEST && [...VERDICT_KEYS.keys()].some((key) => key.startsWith(begun))
}
