import { JUDGE_FAMILIES, type JudgeFamily, type UnreadableReason } from "@assay/schemas"
import type { RailPlace } from "../verdict-reading.ts"
import { LABEL_BEFORE } from "./data/label-keys.ts"
import { VERDICT_KEYS } from "./data/verdict-keys.ts"
import { isAsideExplained } from "./explained/is-aside-explained.ts"
import { isExplained } from "./explained/is-explained.ts"
import { areCategories } from "./explained/is-field.ts"
import { FAMILY_FORMS } from "./families/family-forms.ts"
import { mergeValues, type Merged } from "./merge-values.ts"
import { asideObjects } from "./objections/aside-objects.ts"
import { endsInYes, hasObjection } from "./objections/find-objection.ts"
import { remarkTakesBack } from "./objections/remark-takes-back.ts"
import { findStatements, type Found } from "./statements/find-statements.ts"
import type { Statement } from "./statements/statement.ts"
import { plainKey } from "./text/plain-words.ts"

/** What was found in an answer whose form is not to the letter. */
export interface LenientReading {
  readonly family: JudgeFamily | null
  readonly merged: Merged
  readonly categories: readonly string[]
  readonly score?: number
}

/** In the order in which an answer without keys is offered to them; the first that reads a value has it. */
const BARE_FAMILIES = ["granite-guardian", "topic-control", "llama-guard", "tool-safety"] as const

/** What is taken for yes or no where no family says that it was asked for: a line with nothing else, or a score. */
const IS_YES_OR_NO = /^[^\p{L}\p{N}]{0,20}(?:yes|no)[^\p{L}\p{N}\n]{0,20}(?:\n|<|$)|<score>/iu

/** Reads a normalised answer without reasoning. */
export function readLeniently(
  text: string,
  family: JudgeFamily | undefined,
  place: RailPlace,
  isCut: boolean,
): LenientReading {
  const found = findStatements(text, isCut)
  const keyed = family === undefined ? detectKeyed(found.statements) : family
  if (keyed !== undefined && FAMILY_FORMS[keyed].group !== "bare")
    return readKeyed(text, found, keyed, family, place, isCut)
  const candidates = family === undefined ? BARE_FAMILIES : [family]
  const answer = withoutLabel(found.text)
  // What an announced yes or no is about, only its family can tell.
  const isGuess = family === undefined && /^\P{L}{0,20}(?:yes|no)(?!\p{L})/iu.test(answer)
  for (const candidate of candidates) {
    if (family === undefined && candidate === "granite-guardian" && !IS_YES_OR_NO.test(text)) continue
    const reading = FAMILY_FORMS[candidate].readBare?.(isGuess ? text : answer)
    if (reading === undefined || reading.values.length === 0) continue
    const own = reading.values.map((value): Statement => ({
      side: "place",
      group: "bare",
      value,
      isJson: false,
      isAnchored: true,
    }))
    // Without a family "safe" may be what is left of "Safety: Unsafe" where the limit of tokens ended it.
    if (family === undefined && isCut && /^\s*safe\s*$/i.test(text)) break
    const merged = mergeValues(own, found.statements, place)
    return { family: candidate, merged: unlessDenied(merged, found, text), categories: reading.categories }
  }
  return { family: family ?? null, merged: { reason: reasonOf(text, found, isCut) }, categories: [] }
}

function readKeyed(
  text: string,
  found: Found,
  family: JudgeFamily,
  asked: JudgeFamily | undefined,
  place: RailPlace,
  isCut: boolean,
): LenientReading {
  const { group } = FAMILY_FORMS[family]
  const own = asked === undefined ? found.statements : found.statements.filter((statement) => statement.group === group)
  const foreign = asked === undefined ? [] : found.statements.filter((statement) => statement.group !== group)
  const merged = mergeValues(own, foreign, place)
  const { categories, score } = found
  const isSilent = merged.reason === "no_verdict" && own.length === 0
  return {
    family,
    merged: isSilent ? { reason: reasonOf(text, found, isCut) } : unlessDenied(merged, found),
    categories,
    ...(score === undefined ? {} : { score }),
  }
}

/**
 * A safe verdict stands only where nothing else in the answer speaks against it, in the words of whatever family. `bare` is an
 * answer without keys: its words are its verdict.
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
    found.asides.some((aside) => asideObjects(aside))
  if (isDenied) return { reason: "contradictory" }
  const beside = { saysNo: bare !== undefined && !startsSafe(bare), mayAccuse: isOtherUnsafe }
  const isUnderstood =
    isExplained(found.rest, beside) &&
    areCategories(found.categories) &&
    found.asides.every((aside) => isAsideExplained(aside, beside))
  return isUnderstood ? merged : { reason: "unknown_value" }
}

/** A second word that says safe, on a line of its own, that is taken back there. */
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

/** An answer that announces its word: `Answer: No`. */
function withoutLabel(text: string): string {
  return text.replace(LABEL_BEFORE, "")
}

function reasonOf(text: string, found: Found, isCut: boolean): UnreadableReason {
  return isCut || found.isOpen || endsInKey(text) ? "truncated" : "no_verdict"
}

/** The family that the first statement belongs to, in the form that it is written in. */
function detectKeyed(statements: readonly Statement[]): JudgeFamily | undefined {
  const first = statements.find(({ isAnchored }) => isAnchored)
  if (first === undefined) return undefined
  if (first.group === "user-safety") return first.isJson ? "user-safety-json" : "user-safety-lines"
  return JUDGE_FAMILIES.find((family) => FAMILY_FORMS[family].group === first.group)
}

/** "Safe" alone is a word, and no beginning of "Safety". */
const SHORTEST = 4

/** Whether the last line of an answer is the beginning of a key: the answer was cut before it said anything. */
export function endsInKey(text: string): boolean {
  const line = text.slice(text.lastIndexOf("\n") + 1)
  const begun = line.length > 40 ? "" : plainKey(line)
  return begun.length > SHORTEST && [...VERDICT_KEYS.keys()].some((key) => key.startsWith(begun))
}
