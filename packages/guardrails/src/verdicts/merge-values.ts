import type { Safety, UnreadableReason } from "@assay/schemas"
import type { RailDirection } from "../verdict-reading.ts"
import type { Statement } from "./statements/statement.ts"

/** The verdict of all statements together, or the reason why there is none. */
export type Merged =
  | { readonly user: Safety | null; readonly response: Safety | null; readonly reason: null }
  | { readonly reason: UnreadableReason }

/**
 * Merges statements. `own` statements can give a verdict; `foreign` ones, of another family than the one that was asked, can only
 * contradict it. Neither the first nor the last wins. A single unreadable statement makes the whole answer unreadable, because it
 * may have been the opposite word.
 */
export function mergeValues(
  own: readonly Statement[],
  foreign: readonly Statement[],
  direction: RailDirection,
): Merged {
  const user = valuesOf(own, "user", direction)
  const response = valuesOf(own, "response", direction)
  if (disagrees(own, foreign, "user", direction) || disagrees(own, foreign, "response", direction)) {
    return { reason: "contradictory" }
  }
  const values = new Set(own.map(({ value }) => value))
  const mayDeny = values.has("safe") && foreign.some(({ value }) => value === "unknown")
  if (values.has("unknown") || mayDeny) return { reason: "unknown_value" }
  if (values.has("cut")) return { reason: "truncated" }
  if (isLeftOpen(own, foreign)) return { reason: "truncated" }
  const given = own.filter((statement) => statement.isAnchored && isSafety(statement.value))
  if (given.length === 0) return { reason: values.has("missing") ? "truncated" : "no_verdict" }
  return { user: user[0] ?? null, response: response[0] ?? null, reason: null }
}

/**
 * Returns whether a key has no value and would say something about a side that is called safe, or belongs to another group. Its
 * statement may be lost.
 */
function isLeftOpen(own: readonly Statement[], foreign: readonly Statement[]): boolean {
  const safe = own.filter(({ value }) => value === "safe")
  const [first] = safe
  if (first === undefined) return false
  const isLost = ({ value, group, side }: Statement) =>
    value === "missing" && (group !== first.group || safe.some((one) => one.side === side))
  return [...own, ...foreign].some((one) => isLost(one))
}

function disagrees(
  own: readonly Statement[],
  foreign: readonly Statement[],
  side: "user" | "response",
  direction: RailDirection,
): boolean {
  const said = new Set(valuesOf(own, side, direction))
  if (said.size !== 1) return said.size > 1
  return said.has("safe") && valuesOf(foreign, side, direction).some((value) => value !== "safe")
}

function valuesOf(
  statements: readonly Statement[],
  side: "user" | "response",
  direction: RailDirection,
): readonly Safety[] {
  const judged = direction === "input" ? "user" : "response"
  return statements
    .filter((statement) => statement.side === side || (statement.side === "direction" && side === judged))
    .map(({ value }) => value)
    .filter((value) => isSafety(value))
}

function isSafety(value: string): value is Safety {
  return value === "safe" || value === "unsafe" || value === "controversial"
}
