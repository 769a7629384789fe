import type { ParseVerdictOptions } from "../verdict-reading.ts"
import type { Spoken } from "./drop-reasoning.ts"
import { findStatements } from "./find-statements.ts"
import type { Merged } from "./merge-values.ts"
import { hasObjection, hasUnsafeLine } from "./objections/find-objection.ts"
import { readLeniently } from "./read-leniently.ts"
import type { Statement } from "./statement.ts"

/** As much on both sides of a tag as a torn statement takes, in characters. */
const AROUND = 40
/** Reasoning is longer than an answer that ends in a quotation: in a short text a sentence that is a verdict counts too. */
const SHORT = 300

/**
 * Whether what stood before a closing tag that nothing opened holds a verdict other than the one behind it: then the tag may be
 * quoted from what was judged, and the verdict behind it too. Only a text without a verdict is reasoning.
 */
export function disagreesBefore(
  { dropped, text }: Pick<Spoken, "dropped" | "text">,
  said: Merged,
  { family, place = "input" }: ParseVerdictOptions,
): boolean {
  if (said.reason !== null) return false
  const { merged } = readLeniently(dropped, family, place, false)
  if (merged.reason === "contradictory") return true
  if (merged.reason === null && (differs(merged.user, said.user) || differs(merged.response, said.response))) return true
  if (said.user !== "safe" && said.response !== "safe") return false
  const isShort = dropped.length <= SHORT
  return (
    isTorn(dropped, text) ||
    hasUnsafeLine(dropped) ||
    holdsOpenVerdict(dropped) ||
    (isShort && hasObjection(dropped, { skipsProse: true }))
  )
}

function differs(before: string | null, after: string | null): boolean {
  return before !== null && after !== null && before !== after
}

/** The tag stands in the middle of a word that says unsafe. */
function isTorn(dropped: string, text: string): boolean {
  if (/(?<!\p{L})(?:un|not|non|off)[^\p{L}\p{N}]{0,3}$/iu.test(dropped.slice(-12))) return true
  const [before, after] = [dropped.slice(-AROUND), text.slice(0, AROUND)]
  if (!/[\p{L}]$/u.test(before) || !/^\p{L}/u.test(after)) return false
  return hasObjection(before + after) && !hasObjection(`${before}\n${after}`)
}

/** A statement that is not safe in an object that is still open, with quoted keys, or on the very line of the tag. */
function holdsOpenVerdict(dropped: string): boolean {
  const { statements, text, isOpen } = findStatements(dropped, false)
  const isSuspect = ({ value }: Statement) => value !== "safe" && value !== "absent"
  if (!statements.some((statement) => isSuspect(statement))) return false
  if (statements.some(({ value }) => value === "unsafe" || value === "controversial")) return true
  if (isOpen || /["'][\s\\]{0,5}[:=]/.test(text)) return true
  const line = dropped.slice(dropped.lastIndexOf("\n") + 1)
  return findStatements(line, false).statements.some((statement) => isSuspect(statement))
}
