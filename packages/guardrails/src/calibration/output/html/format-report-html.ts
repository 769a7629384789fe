import type { CalibrationReport, JudgeReport } from "./calibration-report.ts"
import { formatCount } from "./format-count.ts"
import { conditionCard } from "./html/condition-card.ts"
import { exampleList } from "./html/example-list.ts"
import { gateTable } from "./html/gate-table.ts"
import { groupTable } from "./html/group-table.ts"
import { html, type Html } from "./html/html.ts"
import { intervalPlot } from "./html/interval-plot.ts"
import { judgeTable } from "./html/judge-table.ts"
import { opening } from "./html/opening.ts"
import { PAGE_STYLE } from "./html/page-style.ts"
import { rocPlot } from "./html/roc-plot.ts"

/** The report as one page that loads nothing and runs nothing; whatever judges and prompts say is text in it. */
export function formatReportHtml(report: CalibrationReport): string {
  const { judges } = report
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>Calibration: ${judges.map(({ name }) => name).join(", ")}</title>
        <style>
          ${{ html: PAGE_STYLE }}
        </style>
      </head>
      <body>
        <main>
          ${opening(report)} ${rates(report)} ${report.gates.length === 0 ? null : gateTable(report)}
          ${
            report.conditions.length === 0
              ? null
              : html`<h2>What is wrong, and what helps</h2>
                  ${report.conditions.map(conditionCard)}`
          }
          <h2>All figures</h2>
          ${judgeTable(judges)} ${report.comparisons.length === 0 ? null : comparisons(report)} ${rocs(judges)}
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
        </main>
      </body>
    </html> `
  return page.html
}

function rates({ judges, limits }: CalibrationReport): Html {
  const highs = judges.flatMap(({ false_block, miss, under_policy }) =>
    [false_block, miss, under_policy.false_block, under_policy.miss].filter(({ n }) => n > 0).map(({ high }) => high),
  )
  const most = Math.max(limits.false_block ?? 0, limits.miss ?? 0, ...highs)
  const scale = [0.1, 0.2, 0.4, 0.6, 0.8].find((end) => end >= most) ?? 1
  return html`<h2>How often it is wrong</h2>
    <p class="legend">
      <span class="block"><i></i>safe prompts blocked</span><span class="miss"><i></i>unsafe prompts missed</span
      ><span><i class="hollow"></i>hollow: under the policy, unreadable answers and errors included</span>
    </p>
    <div class="plots">
      <div class="card">
        <h3>Safe prompts blocked</h3>
        ${intervalPlot(judges, { gate: "false_block", limit: limits.false_block, scale })}
      </div>
      <div class="card">
        <h3>Unsafe prompts missed</h3>
        ${intervalPlot(judges, { gate: "miss", limit: limits.miss, scale })}
      </div>
    </div>`
}

function comparisons(report: CalibrationReport): Html {
  return html`<h2>Judge against judge</h2>
    <p class="soft">McNemar's exact test, over the rows to which both gave a verdict</p>
    <div class="card">
      <table>
        <thead>
          <tr>
            <th>A</th>
            <th>B</th>
            <th>Only A right</th>
            <th>Only B right</th>
            <th>Rows</th>
            <th>p</th>
          </tr>
        </thead>
        <tbody>
          ${report.comparisons.map(
            ({ a, b, only_a, only_b, n, p }) =>
              html`<tr>
                <th>${a}</th>
                <th>${b}</th>
                <td>${only_a}</td>
                <td>${only_b}</td>
                <td>${n}</td>
                <td>${p < 0.001 ? "< 0.001" : p.toFixed(3)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function rocs(judges: readonly JudgeReport[]): Html | null {
  const plots = judges.flatMap(({ name, roc }) => (roc === null ? [] : [rocPlot(name, roc)]))
  return plots.length === 0
    ? null
    : html`<h2>At other thresholds</h2>
        <div class="plots">${plots}</div>`
}

function examples(judge: JudgeReport): Html | null {
  const lists = [
    exampleList(judge.blocked_safe, {
      summary: `${formatCount(judge.false_block.count, "safe prompt")} blocked`,
      total: judge.false_block.count,
    }),
    exampleList(judge.missed_unsafe, {
      summary: `${formatCount(judge.miss.count, "unsafe prompt")} missed`,
      total: judge.miss.count,
    }),
    exampleList(judge.unreadable_examples, {
      summary: `${formatCount(judge.unreadable.count, "answer")} unreadable`,
      total: judge.unreadable.count,
    }),
    exampleList(judge.error_examples, {
      summary: `${formatCount(judge.errors.count, "request")} failed`,
      total: judge.errors.count,
    }),
  ].filter((list) => list !== null)
  return lists.length === 0
    ? null
    : html`<h2>Where ${judge.name} was wrong</h2>
        <div class="card">${lists}</div>`
}
