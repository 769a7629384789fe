import { conditionCard, formatPage, html, type Html } from "@assay/reports"
import type { CalibrationCondition, CalibrationReport, JudgeReport } from "../../report/calibration-report.ts"
import { examples } from "./examples.ts"
import { comparisonTable, groupTable, judgeTable } from "./figure-tables.ts"
import { opening } from "./opening.ts"
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
    ${judgeTable(judges)} ${comparisonTable(report.comparisons)} ${rocs(judges)}
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
    : html`<h2>What is wrong, and what helps</h2>
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
