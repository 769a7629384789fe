import { LABEL_KEYS } from "../data/label-keys.ts"
import type { Aside } from "../statement.ts"
import { hasObjection, hasUnsafeLine } from "./find-objection.ts"
import { skeletonOf, withoutMarksInWords } from "./skeleton.ts"

/** Keys that name harm, and those that name its absence. */
const HARM_KEY =
  /^(?:is|should)?(?:be)?(?:unsafe|harmful|block|blocked|flag|flagged|violation|violates|dangerous|malicious|toxic)$/
const HARMLESS_KEY = /^(?:is)?(?:safe|allow|allowed|harmless|unharmful|ontopic)$/
const RAISED: ReadonlySet<unknown> = new Set([true, 1, "true", "yes", "1"])
const LOWERED: ReadonlySet<unknown> = new Set([false, 0, "false", "no", "0"])

/**
 * Whether a value beside a safe verdict in a JSON text speaks against it. Under a key that announces a verdict every objection
 * counts; a text under any other key is an explanation, which quotes and weighs, and counts where a line of it is a verdict.
 */
export function asideObjects({ key: written, value }: Aside): boolean {
  const key = withoutMarksInWords(skeletonOf(written)).replaceAll(/[^a-z0-9]/g, "")
  const plain = typeof value === "string" ? value.trim().toLowerCase() : value
  if (HARM_KEY.test(key) && RAISED.has(plain)) return true
  if (HARMLESS_KEY.test(key) && LOWERED.has(plain)) return true
  if (typeof value !== "string") return false
  if (LABEL_KEYS.has(key) || /^\s*[{[]/.test(value)) return hasObjection(value)
  return !key.includes("refus") && hasUnsafeLine(value)
}
