import type { CalibrationReport } from "../calibration-report.ts"
import { gateBadge } from "./gate-badge.ts"
import { html, type Html } from "./html.ts"

/** What was measured on what, and which judge to use. */
export function opening(report: CalibrationReport): Html {
  const { judges, rows, recommendation, verdict } = report
  const repeat = report.repeat > 1 ? `, each asked ${report.repeat} times` : ""
  return html`<h1>Is this judge fit to guard?</h1>
    <p class="soft">
      ${judges.length === 1 ? "One judge" : `${judges.length} judges`} on ${report.data}: ${rows.safe} safe and
      ${rows.unsafe} unsafe prompts${repeat}
    </p>
    <div class="card answer ${recommendation.judge === null ? "FAIL" : (verdictOf(report) ?? "PASS")}">
      <div>
        <strong>${answerTo(report)}</strong>
        <p>${recommendation.reason}</p>
      </div>
      ${verdict === null ? null : gateBadge(verdictOf(report) ?? verdict)}
    </div>`
}

function answerTo({ judges, recommendation, verdict }: CalibrationReport): string {
  const isAlone = judges.length === 1
  if (recommendation.judge === null) return isAlone ? "It is not fit to guard" : "None of these judges is fit to guard"
  if (!isAlone) return `Use ${recommendation.judge}`
  return verdict === "PASS"
    ? `${recommendation.judge} is fit to guard`
    : verdict === null
      ? `${recommendation.judge}, held against no limit`
      : `${recommendation.judge}: this set can't tell`
}

/** Of the judge that is recommended: a rejected candidate must not colour the answer. */
function verdictOf({ gates: all, recommendation, verdict }: CalibrationReport): string | null {
  const own = all.filter(({ judge }) => judge === recommendation.judge).map((gate) => gate.verdict)
  if (own.length === 0) return verdict
  return own.includes("FAIL") ? "FAIL" : own.includes("INCONCLUSIVE") ? "INCONCLUSIVE" : "PASS"
}
