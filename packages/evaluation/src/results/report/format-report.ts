import { html, PAGE_STYLE } from "@assay/guardrails"
import { listScores } from "../list-scores.ts"
import { conditionList } from "./condition-list.ts"
import { distributions } from "./distributions.ts"
import { gateTable } from "./gate-table.ts"
import { jobFacts } from "./job-facts.ts"
import { opening } from "./opening.ts"
import { repeatTable } from "./repeat-table.ts"
import type { ReportInput } from "./report-input.ts"
import { REPORT_STYLE } from "./report-style.ts"
import { rowList } from "./row-list.ts"
import { scoreTables } from "./score-tables.ts"

/** `report.html`: one page that loads nothing and runs nothing; whatever rows and models say is text in it. */
export function formatReport(input: ReportInput): string {
  const { job, status, result, conditions, gates, failed, lowest } = input
  const scores = result === null ? [] : listScores(result)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>Evaluation ${job.config.name ?? job.id}</title>
        <style>
          ${{ html: PAGE_STYLE + REPORT_STYLE }}
        </style>
      </head>
      <body>
        <main>
          ${opening(input)} ${status === "COMPLETED" ? null : conditionList(conditions)} ${scoreTables(scores, gates)}
          ${gateTable(gates)} ${distributions(scores)} ${repeatTable(scores)}
          ${status === "COMPLETED" ? conditionList(conditions) : null}
          ${rowList(failed, { title: "Rows that failed", note: "They have no scores; retry-failed asks them again." })}
          ${rowList(lowest, { title: "Lowest scores", note: "The worst rows first; rows without a fault are left out." })}
          ${jobFacts(input)}
        </main>
      </body>
    </html> `.html
}
