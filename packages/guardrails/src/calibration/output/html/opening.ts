import { html, verdictBadge, withCode, type Html } from "@assay/reports"
import type { CalibrationReport } from "../../report/calibration-report.ts"

/** Renders what was measured, on which data, and which judge to use. */
export function opening(report: CalibrationReport): Html {
  const { judges, rows, recommendation, verdict } = report
  const repeat = report.repeat > 1 ? `, each asked ${report.repeat} times` : ""
  return html`<h1>Is this judge fit to guard?</h1>
    <p class="soft">
      ${judges.length === 1 ? "One judge" : `${judges.length} judges`} on ${report.data}: ${rows.safe} safe and
      ${rows.unsafe} unsafe prompts${repeat}
    </p>
    <div class="card answer ${toneOf(report)}">
      <div>
        <strong>${answerTo(report)}</strong>
        <p>${recommendation.reason}</p>
        ${recommendation.advice === null ? null : html`<p class="remedy"><b>What to do</b> ${withCode(recommendation.advice)}</p>`}
      </div>
      ${verdict === null ? null : verdictBadge(verdict)}
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

/** Returns green only if nothing on the page is red: no candidate fails a gate, and no condition is open. */
function toneOf({ recommendation, verdict, conditions }: CalibrationReport): "PASS" | "FAIL" | "INCONCLUSIVE" {
  if (recommendation.judge === null) return "FAIL"
  return conditions.length > 0 || (verdict !== null && verdict !== "PASS") ? "INCONCLUSIVE" : "PASS"
}
