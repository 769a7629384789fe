import type { ReleaseAsked, ReleaseEvaluationState, ReleaseGateState } from "@assay/schemas"
import { formatCount, formatInteger, formatScore } from "../text/format-number.ts"

/** Says in a sentence what a gate of a release compares, and what decides it. */
export function gateSentence(gate: ReleaseGateState): string {
  const { name, limit, value, baseline, low, high, verdict, reason, rows, rows_needed: needed } = gate
  const interval = low === null || high === null ? "" : `, ${formatScore(low)} to ${formatScore(high)}`
  const found =
    baseline === undefined
      ? `${formatScore(value)}${interval}`
      : `${formatScore(baseline)} → ${formatScore(value)}${interval === "" ? "" : ` (difference${interval.slice(1)})`}`
  const of = rows === null ? "" : `, ${formatCount(rows, "row")}`
  const why = reason === undefined ? "" : `; ${reason}`
  const more = needed === null ? "" : `; about ${formatInteger(needed)} rows would decide`
  return `${name} ${limit}: ${verdict ?? "NO VERDICT"} (${found}${of})${why}${more}`
}

/** Says which rows of a gate are in quarantine; undefined if none is. */
export function quarantineSentence({ name, quarantine }: ReleaseGateState): string | undefined {
  if (quarantine === undefined) return undefined
  const { rows, total, excused, too_many: isTooMany } = quarantine
  const list = `${rows.slice(0, 10).join(", ")}${total > 10 ? ", …" : ""}`
  const end = isTooMany
    ? "they are too many to excuse any"
    : `${formatInteger(excused)} of them got worse, which does not count`
  return `${name}: ${formatCount(total, "row flips", "rows flip")} by ${total === 1 ? "itself" : "themselves"} in the older results (${list}); ${end}.`
}

/** Says how many gates of an evaluation pass, or why it has none. */
export function gatesOf({ state, reason, gates }: ReleaseEvaluationState): string {
  if (state === "MISSING") return reason ?? ""
  const passed = gates.filter(({ verdict }) => verdict === "PASS").length
  return `${formatInteger(passed)} of ${formatInteger(gates.length)} passed`
}

/** Says how many rows were asked, and which evaluations were not. Undefined: nothing was run. */
export function askedSentence(asked: ReleaseAsked | undefined): string | undefined {
  if (asked === undefined) return undefined
  const { rows, rows_total: total, not_asked: left } = asked
  const saved = total === 0 ? "" : `; ${((100 * (total - rows)) / total).toFixed(1)} % of the calls were saved`
  const of = `Asked ${formatInteger(rows)} of ${formatCount(total, "row")}${saved}.`
  if (left.length === 0) return of
  const named = left.slice(0, 5).map((name) => `'${name}'`)
  const more = left.length > 5 ? ` and ${formatInteger(left.length - 5)} more` : ""
  return `${of} Not asked, because the verdict was certain: ${named.join(", ")}${more}.`
}
