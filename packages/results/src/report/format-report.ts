import {
  type Html,
  conditionCard,
  formatInteger,
  formatPage,
  formatScore,
  gateNotes,
  gateRule,
  gateTable,
  html,
  JUDGE_STYLE,
  LABEL_STYLE,
  verdictBadge,
  verdictWord,
} from "@assay/reports"
import type { Condition, EvaluationRow } from "@assay/schemas"
import type { ResultsInput } from "../results-input.ts"
import type { GateOutcome } from "../scores/check-gates.ts"
import { listScores } from "../scores/list-scores.ts"
import { distributions } from "./distributions.ts"
import { jobFacts } from "./job-facts.ts"
import { opening } from "./opening.ts"
import { rowList } from "./row-list.ts"
import { correctionCards } from "./correction-cards.ts"
import { judgeCards } from "./judge-cards.ts"
import { noiseNotes } from "./noise-notes.ts"
import { repeatTable, scoreTables } from "./score-tables.ts"
import { sliceCards } from "./slice-cards.ts"

/** The content of a report. Keys are already masked. */
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
    ${opening(input)} ${status === "COMPLETED" ? null : conditionList(conditions)}
    ${scoreTables(scores, gates, job.config)} ${gates.length === 0 ? null : tableOf(gates)} ${correctionCards(scores)}
    ${judgeCards(scores, gates)} ${sliceCards(scores, job.config)} ${distributions(scores)} ${repeatTable(scores)}
    ${noiseNotes(scores)} ${status === "COMPLETED" ? conditionList(conditions) : null}
    ${rowList(failed, { title: "Rows that failed", note: "They have no scores; retry-failed asks them again." })}
    ${rowList(lowest, { title: "Lowest scores", note: "The worst rows first; rows without a fault are left out." })}
    ${jobFacts(input)}
  `
  return formatPage({
    title: `Evaluation ${job.config.name ?? job.id}`,
    style: REPORT_STYLE + LABEL_STYLE + JUDGE_STYLE,
    main,
  })
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
  return count === 1 ? `once, at ${first_seen}` : `${formatInteger(count)} times, ${first_seen} to ${last_seen}`
}

function tableOf(gates: readonly GateOutcome[]): Html {
  return gateTable({
    notes: [gateRule(gates, "rows"), ...gateNotes(gates)],
    headings: ["Score", "Limit", "Value", "Between", ""],
    rows: gates.map(({ name, limit, value, low, high, verdict }) => ({
      name,
      cells: [
        limit.replace(">=", "≥").replace("<=", "≤"),
        formatScore(value),
        low === null ? "–" : low === high ? "no interval" : `${formatScore(low)} to ${formatScore(high)}`,
        verdictBadge(verdictWord(verdict), verdict ?? "INCONCLUSIVE"),
      ],
    })),
  })
}

/** CSS of a job's report, besides the style that all reports share. */
const REPORT_STYLE = `
:root { --mean: #2563c9; --scored: #2563c9; --unreadable: #c98a0b; --errored: #c0392b; --skipped: #b6bec8; }
@media (prefers-color-scheme: dark) { :root { --mean: #7fb0ff; --scored: #5c97f5; --unreadable: #e2b93b; --errored: #ff8080; --skipped: #4a5563; } }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin-top: 12px; }
.facts .card { margin: 0; padding: 12px 16px; }
.facts b { display: block; font-size: 20px; line-height: 1.3; font-variant-numeric: tabular-nums; }
.facts span, .facts a { font-size: 13px; }
b.bad { color: var(--bad); }
.number { text-align: right; padding-right: 24px; }
.scores { table-layout: fixed; min-width: 640px; }
.scores th:nth-child(1) { width: 30%; } .scores th:nth-child(2) { width: 14%; } .scores th:nth-child(3) { width: 30%; }
.scores td { vertical-align: middle; } .scores tbody th { vertical-align: middle; overflow-wrap: anywhere; }
.scores td b { font-size: 18px; }
.scores .plot { padding-right: 28px; }
.ends { display: flex; justify-content: space-between; } .scores .ends b { font-size: 12px; font-weight: 500; color: var(--ink); }
.partial { color: var(--open); }
svg .mean { stroke: var(--mean); fill: var(--mean); } svg .worst .mean { stroke: var(--bad); fill: var(--bad); } svg .whole { stroke: var(--soft); stroke-dasharray: 3 3; } svg .slice text { font-size: 12px; }
svg .dashed { stroke-dasharray: 3 3; } svg .bin { fill: var(--mean); fill-opacity: .55; }
.counts { display: flex; height: 8px; border-radius: 4px; overflow: hidden; background: var(--tint); }
.counts i { display: block; height: 100%; min-width: 2px; background: var(--fill); }
.scored { --fill: var(--scored); } .unreadable { --fill: var(--unreadable); } .errored { --fill: var(--errored); } .skipped { --fill: var(--skipped); }
.plots h3 { margin-bottom: 8px; overflow-wrap: anywhere; }
.plots.small { grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); margin-top: 12px; }
.rubric .meter { margin-top: 8px; } .rubric td:nth-child(2) { width: 60%; } .rubric .number { padding-right: 0; }
.chips { font-weight: 400; margin-left: 8px; }
.chip { display: inline-block; border: 1px solid var(--line); border-radius: 999px; padding: 0 9px; margin: 1px 2px; font-size: 12px; color: var(--soft); }
.chip b { color: var(--ink); } .chip.bad { color: var(--bad); border-color: var(--bad); }
dl { margin: 8px 0; display: grid; grid-template-columns: minmax(80px, max-content) 1fr; gap: 2px 14px; font-size: 14px; }
dt { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; } dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.bad { border-left: 3px solid var(--bad); } details pre { margin-top: 8px; }
.facts-table th { width: 110px; font-size: 13px; color: var(--soft); }
.facts-table small { overflow-wrap: anywhere; }
`
