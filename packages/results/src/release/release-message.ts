import { formatCount, formatInteger } from "@assay/reports"
import type { ReleaseEvaluationState, ReleaseReport } from "@assay/schemas"

const MAX_NAMED = 5

/** Returns one line that says what decides a release. */
export function releaseMessage(verdict: ReleaseReport["verdict"], states: readonly ReleaseEvaluationState[]): string {
  const blocking = states.filter(({ tier }) => tier !== "advisory")
  const of = (...wanted: readonly ReleaseEvaluationState["state"][]) =>
    blocking.filter(({ state }) => wanted.includes(state))
  if (verdict === "FAIL") {
    const parts = [...listed(of("FAIL"), "failed"), ...listed(of("MISSING"), "has no results", "have no results")]
    return `The release is blocked: ${parts.join("; ")}.`
  }
  if (verdict === "PASS") {
    const warned = states.filter(({ tier, state }) => tier === "advisory" && state !== "PASS")
    const advisory = warned.length === 0 ? "" : ` ${formatCount(warned.length, "advisory evaluation")} did not pass.`
    return blocking.length === 0
      ? `No evaluation blocks.${advisory}`
      : `All of ${formatCount(blocking.length, "evaluation that blocks", "evaluations that block")} passed.${advisory}`
  }
  if (states.every(({ state }) => state === "MISSING"))
    return "Nothing was checked: no evaluation has results, and none of them blocks."
  const open = of("INCONCLUSIVE")
  const needed = open.flatMap(({ gates }) => gates.flatMap(({ rows_needed: rows }) => rows ?? []))
  const most = needed.length === 0 ? "" : `; about ${formatInteger(Math.max(...needed))} rows would decide`
  return `The release is not decided: ${listed(open, "is open", "are open").join("; ")}${most}.`
}

function listed(states: readonly ReleaseEvaluationState[], one: string, several = one): readonly string[] {
  if (states.length === 0) return []
  const names = states.slice(0, MAX_NAMED).map(({ name }) => `'${name}'`)
  const more = states.length > MAX_NAMED ? ` and ${formatInteger(states.length - MAX_NAMED)} more` : ""
  return [`${names.join(", ")}${more} ${states.length === 1 ? one : several}`]
}
