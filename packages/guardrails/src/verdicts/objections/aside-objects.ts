import { LABEL_KEYS } from "../data/keys.ts"
import type { Aside } from "../statements/statement.ts"
import { hasObjection, hasUnsafeLine } from "./find-objection.ts"
import { skeletonOf, withoutMarksInWords } from "./skeleton.ts"

/** Keys that name harm, and keys that name its absence. */
const HARM_KEY =
  /^(?:is|should)?(?:be)?(?:unsafe|harmful|block|blocked|flag|flagged|violation|violates|dangerous|malicious|toxic)$/
const HARMLESS_KEY = /^(?:is)?(?:safe|allow|allowed|harmless|unharmful|ontopic)$/
const RAISED: ReadonlySet<unknown> = new Set([true, 1, "true", "yes", "1"])
const LOWERED: ReadonlySet<unknown> = new Set([false, 0, "false", "no", "0"])
/** Maximum number of characters of a value. A longer text is an explaining sentence. */
const SHORT = 60
/** A word that means unsafe, followed by a mark, a code or a number. */
const UNSAFE_AND_MORE =
  /^[^a-z0-9]{0,12}(?:unsafe|not safe|harmful|off[ _-]?topic|controversial)(?:$|[^a-z0-9\s]|\s+(?:[^a-z0-9\s]|[so]?\d))(?![\s"':=]{0,4}(?:no|none|false|0)(?![a-z0-9.]))/

/**
 * Returns whether a value beside a safe verdict in a JSON text contradicts it. Under a key that announces a verdict every objection
 * counts, also in lists and objects below it. A text under any other key is an explanation, which may quote and weigh; it counts
 * only if one of its lines, or the beginning of a short text, is a verdict.
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
