import { LABEL_KEYS } from "../data/label-keys.ts"
import type { Aside } from "../statements/statement.ts"
import { hasObjection, hasUnsafeLine } from "./find-objection.ts"
import { skeletonOf, withoutMarksInWords } from "./skeleton.ts"

/** Keys that name harm, and those that name its absence. */
const HARM_KEY =
  /^(?:is|should)?(?:be)?(?:unsafe|harmful|block|blocked|flag|flagged|violation|violates|dangerous|malicious|toxic)$/
const HARMLESS_KEY = /^(?:is)?(?:safe|allow|allowed|harmless|unharmful|ontopic)$/
const RAISED: ReadonlySet<unknown> = new Set([true, 1, "true", "yes", "1"])
const LOWERED: ReadonlySet<unknown> = new Set([false, 0, "false", "no", "0"])
/** A value and no sentence that explains. */
const SHORT = 60
/** A word that says unsafe with a mark, a code or a number behind it. */
const UNSAFE_AND_MORE =
  /^[^a-z0-9]{0,12}(?:unsafe|not safe|harmful|off[ _-]?topic|controversial)(?:$|[^a-z0-9\s]|\s+(?:[^a-z0-9\s]|[so]?\d))(?![\s"':=]{0,4}(?:no|none|false|0)(?![a-z0-9.]))/

/**
 * Whether a value beside a safe verdict in a JSON text speaks against it. Under a key that announces a verdict every objection
 * counts, in a list or an object below it too; a text under any other key is an explanation, which quotes and weighs, and counts
 * where a line of it, or the beginning of a short one, is a verdict.
 */
export function asideObjects({ key: written, parent = "", value }: Aside): boolean {
  const [key, holder] = [plainOf(written), plainOf(parent)]
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
