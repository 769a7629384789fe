import { JUDGE_FAMILIES, type JudgeFamily, type UnreadableReason } from "@assay/schemas"
import type { RailPlace } from "../verdict-reading.ts"
import { endsInKey } from "./ends-in-key.ts"
import { FAMILY_FORMS } from "./families/family-forms.ts"
import { findStatements, type Found } from "./find-statements.ts"
import { mergeValues, type Merged } from "./merge-values.ts"
import type { Statement } from "./statement.ts"

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
  for (const candidate of candidates) {
    if (family === undefined && candidate === "granite-guardian" && !IS_YES_OR_NO.test(text)) continue
    const reading = FAMILY_FORMS[candidate].readBare?.(text)
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
    return { family: candidate, merged: mergeValues(own, found.statements, place), categories: reading.categories }
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
    merged: isSilent ? { reason: reasonOf(text, found, isCut) } : denied(merged, found),
    categories,
    ...(score === undefined ? {} : { score }),
  }
}

/** A line that says "unsafe" and no more takes a safe verdict back, whatever family it belongs to. */
function denied(merged: Merged, found: Found): Merged {
  if (merged.reason !== null || merged.user === "unsafe" || merged.response === "unsafe") return merged
  return /^[^\p{L}\p{N}\n]{0,40}(?:unsafe|not safe)[^\p{L}\p{N}\n]{0,40}$/imu.test(found.text)
    ? { reason: "contradictory" }
    : merged
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
