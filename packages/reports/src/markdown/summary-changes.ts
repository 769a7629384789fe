import type { Comparison } from "@assay/schemas"
import { changedRowsText } from "../text/changed-rows.ts"
import { formatInterval } from "../terminal/evaluations/format-scores.ts"
import { formatCount, formatInteger, formatScore } from "../text/format-number.ts"
import { isUnchangedComparison, pairVerdict } from "../text/verdict-word.ts"
import { markdownCode, markdownTable, markdownText } from "./markdown.ts"
import { signed } from "./summary-verdict.ts"

const MAX_ROWS = 5
const MAX_SCORES = 50
const SHOWN_TEXT = 160

/** Formats what changed between jobs and the first of them: a table of scores, the rows that changed most, and warnings. */
export function summaryChanges(comparison: Comparison): readonly string[] {
  const { jobs, scores, margin, warnings } = comparison
  const nameOf = new Map(jobs.map(({ id, name }) => [id, name]))
  const isSeveral = jobs.length > 2
  const lines = scores.flatMap(({ task, metric, score, decides, pairs }) =>
    pairs.map((pair) => [
      markdownCode(`${task}.${metric}.${score}`),
      ...(isSeveral ? [markdownCode(nameOf.get(pair.job) ?? pair.job)] : []),
      formatScore(pair.baseline_mean),
      formatScore(pair.mean),
      signed(pair.difference),
      formatInterval(pair.interval),
      formatInteger(pair.rows),
      decides ? pairVerdict(pair) : "–",
    ]),
  )
  const table = markdownTable(
    [
      { heading: "Score" },
      ...(isSeveral ? [{ heading: "Job" }] : []),
      { heading: "Before", align: "right" },
      { heading: "After", align: "right" },
      { heading: "Difference", align: "right" },
      { heading: "95 % interval" },
      { heading: "Rows", align: "right" },
      { heading: "Verdict" },
    ],
    lines.slice(0, MAX_SCORES),
  )
  const left = lines.length - MAX_SCORES
  const baseline = jobs[0] === undefined ? "" : ` ${markdownCode(jobs[0].name)}`
  return [
    `### Against the baseline${baseline}\n\nA score may be worse by at most ${formatScore(margin)}.\n`,
    lines.length === 0 ? "No score is in both jobs.\n" : table,
    left > 0 ? `${formatCount(left, "more line")} left out.\n` : "",
    changedRows(comparison, nameOf),
    warnings.map((warning) => `- Warning: ${markdownText(warning)}\n`).join(""),
  ]
}

function changedRows(comparison: Comparison, nameOf: ReadonlyMap<string, string>): string {
  const { changed_rows: rows, changed_rows_total: total } = comparison
  if (total === 0)
    return isUnchangedComparison(comparison)
      ? "No row changed. Equal results are PASS, and the intervals are about other rows.\n"
      : "No row changed.\n"
  const shown = rows.slice(0, MAX_ROWS)
  const isSeveral = nameOf.size > 2
  const table = markdownTable(
    [
      ...(isSeveral ? [{ heading: "Job" }] : []),
      { heading: "Row" },
      { heading: "Change" },
      { heading: "Question" },
      { heading: "Before" },
      { heading: "After" },
    ],
    shown.map(({ job, task, row_index, change, scores, item, answers: [before, after] }) => [
      ...(isSeveral ? [markdownCode(nameOf.get(job) ?? job)] : []),
      markdownCode(`${task}/${row_index}`),
      [
        change,
        ...scores.map(
          ({ metric, score, baseline, value }) =>
            `${markdownCode(`${metric}.${score}`)} ${formatScore(baseline)} → ${formatScore(value)}`,
        ),
      ].join(", "),
      markdownCode(item, SHOWN_TEXT),
      markdownCode(before ?? "–", SHOWN_TEXT),
      markdownCode(after ?? "–", SHOWN_TEXT),
    ]),
  )
  const most = total > shown.length ? `; the ${shown.length} that changed most` : ""
  return `${changedRowsText(comparison)}${most}:\n\n${table}`
}
