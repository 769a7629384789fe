import type { JudgeReport } from "@assay/schemas"
import { formatInterval } from "../terminal/evaluations/format-scores.ts"
import { formatCost } from "../text/estimate-facts.ts"
import { formatCount, formatDuration, formatInteger, formatScore } from "../text/format-number.ts"
import { gateNotes } from "../text/gate-notes.ts"
import { verdictWord } from "../text/verdict-word.ts"
import { findingInterval, judgeFindings, JUDGE_WORDS } from "../text/judge-report.ts"
import { intervalNote, scoreInterval } from "../text/score-interval.ts"
import { tokenUse } from "../text/token-use.ts"
import { markdownCode, markdownLink, markdownTable, markdownText } from "./markdown.ts"
import type { Summary, SummaryJob, SummaryRow } from "./summary.ts"
import { summaryChanges } from "./summary-changes.ts"
import { summaryVerdict } from "./summary-verdict.ts"

/** GitHub refuses a summary of a step that is larger. */
const MAX_BYTES = 1024 * 1024
const MAX_SCORES = 50
const MAX_ROWS = 5
const MAX_CONDITIONS = 10
const SHOWN_TEXT = 160
const CUT = "_The rest is left out, because a summary may have at most 1 MiB._\n"

/**
 * Formats a job, a comparison or both as Markdown for the summary of a CI step or for a comment: the verdict first, then gates, scores with
 * intervals, what changed, the worst rows, conditions, cost and links. Text of rows, models and names is escaped.
 * @param options `maxBytes`: maximum size in UTF-8, default 1 MiB. Sections that do not fit are left out, and a sentence says so.
 */
export function formatSummary(summary: Summary, { maxBytes = MAX_BYTES }: { readonly maxBytes?: number } = {}): string {
  const { job, gates = [], comparison, worst = [], notes = [] } = summary
  const sections = [
    summaryVerdict(summary),
    gates.length < 2 ? "" : gateSection(gates),
    scoreSection(summary),
    notes.map((note) => `- ${markdownText(note)}\n`).join(""),
    judgeSection(summary),
    ...(comparison == null ? [] : summaryChanges(comparison)),
    rowSection(worst, job?.asksModel === true),
    job === undefined ? "" : conditionSection(job),
    job === undefined ? "" : costSection(job),
    linkSection(summary),
  ]
  return keepWhole(
    sections.filter((section) => section !== ""),
    maxBytes,
  )
}

/** Joins the sections that fit, and says so if some do not. Returns nothing if not even that fits. */
function keepWhole(sections: readonly string[], maxBytes: number): string {
  if (maxBytes <= CUT.length) return ""
  let text = ""
  let bytes = 0
  for (const [at, section] of sections.entries()) {
    const next = at === 0 ? section : `\n${section}`
    bytes += new TextEncoder().encode(next).length
    const reserve = at === sections.length - 1 ? 0 : CUT.length + 1
    if (bytes + reserve > maxBytes) return `${text}\n${CUT}`
    text += next
  }
  return text
}

function gateSection(gates: NonNullable<Summary["gates"]>): string {
  const table = markdownTable(
    [{ heading: "Gate" }, { heading: "Value", align: "right" }, { heading: "Interval" }, { heading: "Verdict" }],
    gates
      .slice(0, MAX_SCORES)
      .map(({ name, limit, value, low, high, verdict }) => [
        markdownCode(`${name} ${limit}`),
        formatScore(value),
        formatInterval(low === null || high === null ? null : { low, high }),
        verdictWord(verdict),
      ]),
  )
  const after = [...leftOut(gates.length - MAX_SCORES, "gate"), ...gateNotes(gates)]
  return `### Gates\n\n${table}${after.map((note) => `\n${note}\n`).join("")}`
}

function scoreSection({ scores }: Summary): string {
  if (scores === undefined) return ""
  if (scores.length === 0) return "There are no scores.\n"
  const count = (value: number | undefined) => (value === undefined ? "–" : formatInteger(value))
  const table = markdownTable(
    [
      { heading: "Score" },
      { heading: "Value", align: "right" },
      { heading: "95 % interval" },
      { heading: "Scored", align: "right" },
      { heading: "Without a score", align: "right" },
    ],
    scores.slice(0, MAX_SCORES).map(({ name, found }) => {
      const { stats } = found
      return [
        markdownCode(name),
        formatScore(found.value),
        formatInterval(scoreInterval(found)),
        count(stats?.scored),
        count(stats && stats.unreadable + stats.errored + stats.skipped),
      ]
    }),
  )
  const left = [...leftOut(scores.length - MAX_SCORES, "score"), intervalNote(scores) ?? []].flat()
  return `### Scores\n\n${table}${left.map((note) => `\n${note}\n`).join("")}`
}

const MAX_JUDGES = 10

/** Formats the conclusion in bold. Messages begin with it, up to a colon. */
function judgeSentence({ conclusion, message }: JudgeReport): string {
  const [, start, rest] = /^([^:]{1,40}): (.*)$/su.exec(message) ?? []
  return start === undefined || rest === undefined
    ? `**${JUDGE_WORDS[conclusion]}**. ${markdownText(message)}`
    : `**${markdownText(start)}**: ${markdownText(rest)}`
}

function judgeSection({ scores = [] }: Summary): string {
  const judged = scores.flatMap(({ name, found: { judge } }) => (judge === undefined ? [] : [{ name, judge }]))
  if (judged.length === 0) return ""
  const lines = judged.slice(0, MAX_JUDGES).map(({ name, judge }) => {
    const found = judgeFindings(judge)
      .filter(({ value }) => value !== null)
      .map((one) => `${one.check} ${formatScore(one.value)} (${findingInterval(one)})`)
    const detail = found.length === 0 ? "" : `\n  - ${markdownText(found.join(", "))}`
    return `- ${markdownCode(name)}: ${judgeSentence(judge)}${detail}\n`
  })
  const left = leftOut(judged.length - MAX_JUDGES, "judge").map((note) => `- ${note}\n`)
  return `### Judges\n\n${[...lines, ...left].join("")}`
}

function leftOut(count: number, noun: string): readonly string[] {
  return count > 0 ? [`${formatCount(count, `more ${noun}`)} left out.`] : []
}

function rowSection(rows: readonly SummaryRow[], asksModel: boolean): string {
  if (rows.length === 0) return ""
  const table = markdownTable(
    [{ heading: "Row" }, { heading: "Scores" }, { heading: "Question" }, { heading: "Answer" }],
    rows
      .slice(0, MAX_ROWS)
      .map((row) => [
        markdownCode(`${row.task}/${row.row_index}${row.repeat === 0 ? "" : `#${row.repeat}`}`),
        row.error === null ? scoresOf(row) : `failed: ${markdownCode(row.error.code)}`,
        markdownCode(questionOf(row, asksModel), SHOWN_TEXT),
        markdownCode(row.error?.message ?? row.output ?? "–", SHOWN_TEXT),
      ]),
  )
  return `### Worst rows\n\n${table}`
}

function scoresOf({ scores }: SummaryRow): string {
  return Object.entries(scores)
    .flatMap(([metric, found]) => Object.entries(found).map(([score, value]) => [`${metric}.${score}`, value] as const))
    .slice(0, MAX_ROWS)
    .map(([name, value]) => `${markdownCode(name)} ${value === "NaN" ? "unreadable" : formatScore(value)}`)
    .join(", ")
}

/** Returns the item as JSON, without the answer that it contains if no model was asked. A model can also repeat a field of the item. */
function questionOf({ item, output }: SummaryRow, asksModel: boolean): string {
  if (asksModel) return JSON.stringify(item)
  return JSON.stringify(Object.fromEntries(Object.entries(item).filter(([, value]) => value !== output)))
}

function conditionSection({ conditions }: SummaryJob): string {
  if (conditions.length === 0) return ""
  const lines = conditions.slice(0, MAX_CONDITIONS).map(({ code, title, message, remedy, count }) => {
    const times = count > 1 ? ` (${formatInteger(count)} times)` : ""
    return `- **${markdownText(title)}** ${markdownCode(code)}${times}: ${markdownText(message)}\n  - Remedy: ${markdownText(remedy)}\n`
  })
  const left = leftOut(conditions.length - MAX_CONDITIONS, "condition").map((note) => `- ${note}\n`)
  return `### Conditions\n\n${[...lines, ...left].join("")}`
}

const UNKNOWN = "unknown"

/** Formats rows, time, and tokens and cost of the target. A number that is not known is called unknown, and never 0. */
function costSection({ rows, failed, milliseconds, tokens, cost, asksModel = false }: SummaryJob): string {
  const money = cost == null ? UNKNOWN : markdownText(formatCost(cost.amount, cost.currency))
  const facts = [
    ...(rows === undefined
      ? []
      : [`${formatCount(rows, "row")}${failed ? `, ${formatInteger(failed)} of them failed` : ""}`]),
    ...(milliseconds === undefined ? [] : [formatDuration(milliseconds)]),
    ...(asksModel ? [`tokens: ${tokenUse(tokens)}`, `cost: ${money}`, "both without judges"] : []),
  ]
  return facts.length === 0 ? "" : `${facts.join(" · ")}\n`
}

function linkSection({ links = [], job }: Summary): string {
  const shown = links.map((link) =>
    "url" in link ? markdownLink(link.label, link.url) : `${markdownText(link.label)}: ${markdownCode(link.path)}`,
  )
  const next =
    job === undefined || job.status === "COMPLETED"
      ? []
      : (job.next ?? []).map((command) => `Next: ${markdownCode(command)}`)
  return [...shown, ...next].map((line) => `- ${line}\n`).join("")
}
