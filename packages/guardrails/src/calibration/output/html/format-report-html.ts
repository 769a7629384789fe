import { type Html, conditionCard, formatPage, html, verdictBadge, withCode } from "@assay/reports"
import type { CalibrationCondition, CalibrationReport, JudgeReport } from "../../report/calibration-report.ts"
import { examples } from "./examples.ts"
import { comparisonTable, groupTable, judgeTable } from "./figure-tables.ts"
import { judgeGates, ratePlots } from "./rates.ts"
import { rocPlot } from "./roc-plot.ts"

/** Conditions that are shown in red. */
const SEVERE = new Set(["judge_overblocks", "judge_underblocks"])

/** Formats the report as one page that loads nothing and runs nothing. Text of judges and prompts is escaped. */
export function formatReportHtml(report: CalibrationReport): string {
  const { judges } = report
  const main = html`
    ${opening(report)} ${ratePlots(report)} ${judgeGates(report)} ${conditionList(report.conditions)}
    <h2>All figures</h2>
    ${judgeTable(judges)} ${comparisonTable(report)} ${rocs(judges)}
    ${groupTable("By category", judges, ({ by_category }) => by_category)}
    ${groupTable("By language", judges, ({ by_language }) => by_language)} ${judges.map(examples)}
    ${
      report.notes.length === 0
        ? null
        : html`<h2>Keep in mind</h2>
            <ul class="notes card">
              ${report.notes.map((note) => html`<li>${note}</li>`)}
            </ul>`
    }
  `
  return formatPage({ title: `Calibration: ${judges.map(({ name }) => name).join(", ")}`, main })
}

function conditionList(conditions: readonly CalibrationCondition[]): Html | null {
  return conditions.length === 0
    ? null
    : html`<h2>Problems and remedies</h2>
        ${conditions.map(({ code, judge, title, message, evidence, remedy }) =>
          conditionCard({
            tone: SEVERE.has(code) ? "FAIL" : "INCONCLUSIVE",
            title,
            marks: html`<span class="soft">${judge}</span><code>${code}</code>`,
            message: html`<p>${message}</p>`,
            evidence,
            remedy,
          }),
        )}`
}

function rocs(judges: readonly JudgeReport[]): Html | null {
  const plots = judges.flatMap(({ name, roc }) => (roc === null ? [] : [rocPlot(name, roc)]))
  return plots.length === 0
    ? null
    : html`<h2>At other thresholds</h2>
        <div class="plots">${plots}</div>`
}

/** Renders what was measured, on which data, and which judge to use. */
function opening(report: CalibrationReport): Html {
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
  const isOnly = judges.length === 1
  if (recommendation.judge === null) return isOnly ? "It is not fit to guard" : "None of these judges is fit to guard"
  if (!isOnly) return `Use ${recommendation.judge}`
  return verdict === "PASS"
    ? `${recommendation.judge} is fit to guard`
    : verdict === null
      ? `${recommendation.judge}, without a limit to keep`
      : `${recommendation.judge}: this set is too small to decide`
}

/** Returns green only if nothing on the page is red: no candidate fails a gate, and no condition is open. */
function toneOf({ recommendation, verdict, conditions }: CalibrationReport): "PASS" | "FAIL" | "INCONCLUSIVE" {
  if (recommendation.judge === null) return "FAIL"
  return conditions.length > 0 || (verdict !== null && verdict !== "PASS") ? "INCONCLUSIVE" : "PASS"
}
