import { conditionCard, formatPage, formatScore, gateTable, html, verdictBadge, type Html } from "@assay/reports"
import type { Condition, EvaluationRow } from "@assay/schemas"
import type { ResultsInput } from "../results-input.ts"
import type { GateOutcome } from "../scores/check-gates.ts"
import { listScores } from "../scores/list-scores.ts"
import { distributions } from "./distributions.ts"
import { jobFacts } from "./job-facts.ts"
import { opening } from "./opening.ts"
import { repeatTable } from "./repeat-table.ts"
import { REPORT_STYLE } from "./report-style.ts"
import { rowList } from "./row-list.ts"
import { scoreTables } from "./score-tables.ts"

/** What a report shows. Keys are already masked. */
export interface ReportInput extends Pick<
  ResultsInput,
  "job" | "status" | "message" | "result" | "conditions" | "pins" | "environment" | "progress"
> {
  readonly gates: readonly GateOutcome[]
  /** Rows that failed. */
  readonly failed: readonly EvaluationRow[]
  /** Rows with the lowest scores. */
  readonly lowest: readonly EvaluationRow[]
}

/** Formats `report.html`: one page that loads nothing and runs nothing. Text of rows and models is escaped. */
export function formatReport(input: ReportInput): string {
  const { job, status, result, conditions, gates, failed, lowest } = input
  const scores = result === null ? [] : listScores(result)
  const main = html`
    ${opening(input)} ${status === "COMPLETED" ? null : conditionList(conditions)} ${scoreTables(scores, gates)}
    ${gates.length === 0 ? null : tableOf(gates)} ${distributions(scores)} ${repeatTable(scores)}
    ${status === "COMPLETED" ? conditionList(conditions) : null}
    ${rowList(failed, { title: "Rows that failed", note: "They have no scores; retry-failed asks them again." })}
    ${rowList(lowest, { title: "Lowest scores", note: "The worst rows first; rows without a fault are left out." })}
    ${jobFacts(input)}
  `
  return formatPage({ title: `Evaluation ${job.config.name ?? job.id}`, style: REPORT_STYLE, main })
}

function conditionList(conditions: readonly Condition[]): Html | null {
  return conditions.length === 0
    ? null
    : html`<h2 id="conditions">What went wrong, and what helps</h2>
        ${conditions.map(({ code, title, message, evidence, remedy, ...times }) =>
          conditionCard({
            tone: "FAIL",
            title,
            marks: html`<code>${code}</code><span class="soft">${seenAt(times)}</span>`,
            message: html`<p dir="auto">${message}</p>`,
            evidence,
            remedy,
          }),
        )}`
}

function seenAt({ count, first_seen, last_seen }: Pick<Condition, "count" | "first_seen" | "last_seen">): string {
  return count === 1 ? `once, at ${first_seen}` : `${count.toLocaleString("en")} times, ${first_seen} to ${last_seen}`
}

function tableOf(gates: readonly GateOutcome[]): Html {
  return gateTable({
    unit: "rows",
    headings: ["Score", "Limit", "Value", "Between", ""],
    rows: gates.map(({ name, limit, value, low, high, verdict }) => ({
      name,
      cells: [
        limit.replace(">=", "≥").replace("<=", "≤"),
        formatScore(value),
        low === null ? "–" : low === high ? "no interval" : `${formatScore(low)} to ${formatScore(high)}`,
        verdictBadge(verdict),
      ],
    })),
  })
}
