import { type ChangedRow, type Comparison, type PairComparison, printable } from "@assay/schemas"
import { changedRowsText } from "../../text/changed-rows.ts"
import { cutLine } from "../../text/cut-text.ts"
import { formatInteger, formatScore } from "../../text/format-number.ts"
import { formatTable } from "../format-table.ts"
import { isUnchangedComparison, pairVerdict, verdictWord } from "../../text/verdict-word.ts"
import { toneOf } from "../tone.ts"
import { formatInterval } from "./format-scores.ts"

const SHOWN_ROWS = 5
const SHOWN_TEXT = 100

/** Formats a comparison of jobs with the first: a line per score and job, the rows that changed most, and warnings. */
export function formatComparison(comparison: Comparison): string {
  const { jobs, verdict, margin, changed_rows, changed_rows_total, changes = [], warnings } = comparison
  const [first, ...others] = jobs
  const nameOf = new Map(jobs.map(({ id, name }) => [id, name]))
  const head = `${others.map(({ name }) => printable(name)).join(", ")} against ${printable(first?.name ?? "")}: ${verdictWord(verdict)}${isUnchangedComparison(comparison) ? ", no row changed" : ""}`
  const allowed =
    margin === 0
      ? " (margin 0: no score may be worse)"
      : ` (margin ${formatScore(margin)}: a score may be worse by at most this)`
  const changed = changed_rows
    .slice(0, SHOWN_ROWS)
    .map((row) => formatChange(row, others.length > 1 ? nameOf : undefined))
  const sections = [
    `${head}${allowed}\n${changes.map((change) => `changed: ${printable(change)}\n`).join("")}${formatHeld(comparison)}`,
    formatPairs(comparison, nameOf),
    formatCorrected(comparison, nameOf),
    formatNeeded(comparison),
    changed_rows_total === 0
      ? `no row changed${isUnchangedComparison(comparison) ? ": equal results are PASS, and the intervals are about other rows" : ""}\n`
      : `${changedRowsText(comparison)}${changed_rows_total > changed.length ? `; the ${changed.length} that changed most` : ""}:\n${changed.join("")}`,
    warnings.map((warning) => `warning: ${printable(warning)}\n`).join(""),
  ]
  return sections.filter((section) => section !== "").join("\n")
}

/** Says why scores have no verdict. */
function formatHeld({ scores }: Comparison): string {
  const isHeld = scores.some(({ pairs }) => pairs.some(({ verdict }) => verdict === null))
  return isHeld ? "Such a score has no verdict; --allow-changed decides nevertheless.\n" : ""
}

interface Line extends PairComparison {
  readonly name: string
  readonly decides: boolean
}

function formatPairs({ scores }: Comparison, nameOf: ReadonlyMap<string, string>): string {
  const lines: readonly Line[] = scores.flatMap(({ task, metric, score, decides, pairs }) =>
    pairs.map((pair) => ({ ...pair, decides, name: `${task}.${metric}.${score}` })),
  )
  if (lines.length === 0) return "no score is in both\n"
  const isSeveral = nameOf.size > 2
  return formatTable(lines, [
    { heading: "SCORE", value: ({ name }) => name },
    ...(isSeveral ? [{ heading: "JOB", value: ({ job }: Line) => nameOf.get(job) ?? job }] : []),
    { heading: "BEFORE", value: ({ baseline_mean }) => formatScore(baseline_mean), align: "right" },
    { heading: "AFTER", value: ({ mean }) => formatScore(mean), align: "right" },
    { heading: "DIFFERENCE", value: ({ difference }) => signed(difference), align: "right" },
    { heading: "95 % INTERVAL", value: ({ interval }) => formatInterval(interval) },
    { heading: "P", value: ({ p }) => (p < 0.001 ? p.toExponential(1) : p.toFixed(3)), align: "right" },
    { heading: "ROWS", value: ({ rows }) => formatInteger(rows), align: "right" },
    { heading: "DETECTABLE", value: (pair) => formatScore(pair.smallest_detectable_effect), align: "right" },
    {
      heading: "VERDICT",
      // People decide a corrected score.
      value: ({ name: _name, decides, ...pair }) => (decides && pair.corrected === undefined ? pairVerdict(pair) : "–"),
      tone: ({ decides, verdict }) => (decides ? toneOf(verdictWord(verdict)) : undefined),
    },
  ])
}

/** Formats the differences that people would see, and what is missing or wrong with their labels. Empty if nothing is corrected. */
function formatCorrected({ scores }: Comparison, nameOf: ReadonlyMap<string, string>): string {
  const lines = scores.flatMap(({ task, metric, score, pairs }) =>
    pairs.flatMap(({ job, corrected }) =>
      corrected === undefined ? [] : [{ ...corrected, job, name: `${task}.${metric}.${score}` }],
    ),
  )
  if (lines.length === 0) return ""
  const table = formatTable(lines, [
    { heading: "AS PEOPLE WOULD SEE IT", value: ({ name }) => name },
    ...(nameOf.size > 2
      ? [{ heading: "JOB", value: ({ job }: (typeof lines)[number]) => nameOf.get(job) ?? job }]
      : []),
    {
      heading: "DIFFERENCE",
      value: ({ difference }) => (difference === null ? "–" : signed(difference)),
      align: "right",
    },
    { heading: "95 % INTERVAL", value: ({ interval }) => formatInterval(interval) },
    {
      heading: "LABELS",
      value: ({ labels_of: of }) => `${formatInteger(of.baseline)} + ${formatInteger(of.job)}`,
      align: "right",
    },
    { heading: "DIFFERING", value: ({ differing }) => formatInteger(differing), align: "right" },
    {
      heading: "VERDICT",
      value: ({ verdict }) => verdictWord(verdict),
      tone: ({ verdict }) => toneOf(verdictWord(verdict)),
    },
  ])
  const notes = lines.flatMap(({ notes: own, name }) => own.map((note) => `${printable(`${name}: ${note}`)}\n`))
  return `${table}${notes.join("")}`
}

/** Says how many rows would decide the scores that are not decided. */
function formatNeeded({ scores }: Comparison): string {
  const needed = scores.flatMap(({ task, metric, score, decides, pairs }) =>
    pairs.flatMap(({ rows_needed: rows, corrected }) =>
      rows === null || !decides || corrected !== undefined ? [] : [{ name: `${task}.${metric}.${score}`, rows }],
    ),
  )
  return needed
    .map(
      ({ name, rows }) =>
        `${printable(name)}: about ${formatInteger(rows)} rows would decide, if they differ as these do\n`,
    )
    .join("")
}

/** @param nameOf the names of several jobs; undefined if only one is compared */
function formatChange(
  { job, change, task, row_index, scores, item, answers }: ChangedRow,
  nameOf: ReadonlyMap<string, string> | undefined,
): string {
  const [before, after] = answers
  const moved = scores.map(
    ({ metric, score, baseline, value }) => `${metric}.${score} ${formatScore(baseline)} → ${formatScore(value)}`,
  )
  const lines = [
    `${change}: ${nameOf === undefined ? "" : `${nameOf.get(job) ?? job}, `}${task}, row ${row_index}: ${moved.join(", ")}`,
    `  row     ${cutLine(item, SHOWN_TEXT)}`,
    `  before  ${cutLine(before ?? "–", SHOWN_TEXT)}`,
    `  after   ${cutLine(after ?? "–", SHOWN_TEXT)}`,
  ]
  return lines.map((line) => `${printable(line)}\n`).join("")
}

function signed(value: number): string {
  return value > 0 ? `+${formatScore(value)}` : formatScore(value)
}
