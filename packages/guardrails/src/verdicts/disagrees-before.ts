import type { ParseVerdictOptions } from "../verdict-reading.ts"
import type { Spoken } from "./drop-reasoning.ts"
import { findStatements } from "./find-statements.ts"
import type { Merged } from "./merge-values.ts"
import { beginsOrSaysUnsafe, hasObjection } from "./objections/find-objection.ts"
import { readLeniently } from "./read-leniently.ts"
import type { Statement } from "./statement.ts"

/** Reasoning is longer than an answer that ends in a quotation: in a short text a sentence that is a verdict counts too. */
const SHORT = 300
/** Tags that are looked at for a word that they tear apart; the last ones. */
const MOST_TAGS = 20

/**
 * Whether what stood before closing tags that nothing opened holds a verdict other than the one behind them: then a tag may be
 * quoted from what was judged, and the verdict behind it too. Only a text without a verdict is reasoning.
 */
export function disagreesBefore(
  { dropped, text }: Pick<Spoken, "dropped" | "text">,
  said: Merged,
  { family, place = "input" }: ParseVerdictOptions,
): boolean {
  if (said.reason !== null) return false
  const before = dropped.join("\n")
  const { merged } = readLeniently(before, family, place, false)
  if (merged.reason === "contradictory") return true
  if (merged.reason === null && (differs(merged.user, said.user) || differs(merged.response, said.response)))
    return true
  if (said.user !== "safe" && said.response !== "safe") return false
  return (
    speaksAgainst(before) ||
    (dropped.length > 1 && speaksAgainst(dropped.join(""))) ||
    isTorn([...dropped, text]) ||
    isTorn([dropped.join(""), text])
  )
}

function differs(before: string | null, after: string | null): boolean {
  return before !== null && after !== null && before !== after
}

function speaksAgainst(before: string): boolean {
  if (beginsOrSaysUnsafe(before) || holdsOpenVerdict(before)) return true
  return before.length <= SHORT && hasObjection(before, { skipsProse: true })
}

/** A tag stands in the middle of a word that says unsafe. */
function isTorn(pieces: readonly string[]): boolean {
  const last = pieces.filter((piece) => piece !== "").slice(-MOST_TAGS - 1)
  return last.some((piece, index) => {
    const next = last[index + 1]
    if (next === undefined) return false
    const [tail, head] = [piece.slice(-60), next.slice(0, 60)].map((side) =>
      side.replaceAll(/<[^<>\n]{0,40}>|[*_~`]/g, "").replaceAll(/\\+[nrt]/gi, "\n"),
    )
    if (tail === undefined || head === undefined) return false
    const isNegated = /(?<!\p{L})(?:un|no|not|non|off)[^\p{L}\p{N}]{0,3}$/iu.test(tail)
    if (isNegated && /^[^\p{L}\p{N}]{0,3}(?:safe|topic)/iu.test(head)) return true
    const [one, two] = [/\p{L}{1,20}[^\p{L}]{0,2}$/u, /\p{L}{1,20}[^\p{L}]{1,3}\p{L}{1,20}[^\p{L}]{0,2}$/u].map(
      (end) => end.exec(tail)?.[0] ?? "",
    )
    const [first, both] = [/^[^\p{L}]{0,2}\p{L}{1,20}/u, /^[^\p{L}]{0,2}\p{L}{1,20}[^\p{L}]{1,3}\p{L}{1,20}/u].map(
      (start) => start.exec(head)?.[0] ?? "",
    )
    return makesObjection(one, first) || makesObjection(two, first) || makesObjection(one, both)
  })
}

function makesObjection(tail = "", head = ""): boolean {
  return tail !== "" && head !== "" && hasObjection(tail + head) && !hasObjection(tail) && !hasObjection(head)
}

/** A statement that is not safe in an object that is still open, with quoted keys, or on the very line of the tag. */
function holdsOpenVerdict(before: string): boolean {
  const { statements, text, isOpen } = findStatements(before, false)
  const isSuspect = ({ value }: Statement) => value !== "safe" && value !== "absent"
  if (!statements.some((statement) => isSuspect(statement))) return false
  if (statements.some(({ value }) => value === "unsafe" || value === "controversial")) return true
  if (isOpen || /["'][\s\\]{0,5}[:=]/.test(text)) return true
  const line = before.slice(before.lastIndexOf("\n") + 1)
  return findStatements(line, false).statements.some((statement) => isSuspect(statement))
}
