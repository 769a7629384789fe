import {
  type LabelPage,
  type LabelQuestion,
  type LabelQueue,
  type LabelReport,
  type LabelRow,
  type PairLabelQueue,
  printable,
} from "@assay/schemas"
import { type CsvCell, formatCsv } from "../../formats/format-csv.ts"
import { cutText } from "../../text/cut-text.ts"
import { formatCount, formatInteger, formatScore } from "../../text/format-number.ts"
import { labelEstimates, labelSentences, type LabelFindings } from "../../text/label-report.ts"
import { verdictWord } from "../../text/verdict-word.ts"
import { formatTable, type Layout } from "../format-table.ts"
import { formatInterval, type ShownScore } from "./format-scores.ts"

const MAX_ITEM = 60
const MAX_OUTPUT = 60
/** Scores whose corrections are shown. */
const MAX_CORRECTIONS = 20

/** Formats rows to label as a table. The judge's score is left out: it would lead people. */
export function formatLabelQueue({ data, metric, labelled, candidates }: LabelQueue, layout: Layout): string {
  const count = `${formatInteger(labelled)} of ${formatInteger(candidates)} rows have a label for ${printable(metric)}`
  if (data.length === 0) return `no row is left to label; ${count}\n`
  const table = formatTable(
    data,
    [
      { heading: "ROW", value: nameOf },
      { heading: "ITEM", value: ({ item }) => cutText(JSON.stringify(item), MAX_ITEM) },
      { heading: "OUTPUT", value: ({ output }) => cutText(output ?? "", MAX_OUTPUT) },
    ],
    layout,
  )
  return `${table}${count}\n`
}

/** Formats what labels decide about two jobs so far, and the rows to label next. Which job a row is of would lead people. */
export function formatPairQueue(
  { data, corrected, is_decided: isDecided, labelled, margin, jobs }: PairLabelQueue,
  layout: Layout,
): string {
  const { difference, interval, labels, differing, verdict, notes } = corrected
  const [first, second] = jobs.map(({ name }) => printable(name))
  const seen = difference === null ? "" : `; the difference is ${formatScore(difference)}, ${formatInterval(interval)}`
  const count = `${formatInteger(labelled)} of ${formatInteger(differing)} answers that differ have labels on both sides (${formatCount(labels, "label")})${seen}\n`
  if (isDecided) {
    return `decided: ${verdictWord(verdict)}. ${second} is ${verdict === "PASS" ? "at most" : "more than"} ${formatScore(margin)} worse than ${first}\n${count}`
  }
  const gaps = corrected.left_open === 0 ? "" : notes.map((note) => `${printable(note)}\n`).join("")
  if (data.length === 0) return `not decided, and no row is left to label\n${count}`
  const table = formatTable(
    data,
    [
      { heading: "ROW", value: nameOf },
      { heading: "ITEM", value: ({ item }) => cutText(JSON.stringify(item), MAX_ITEM) },
      { heading: "OUTPUT", value: ({ output }) => cutText(output ?? "", MAX_OUTPUT) },
    ],
    layout,
  )
  return `${table}not decided yet: ${count}${gaps}`
}

/** Formats what the judge is asked, so that people answer the same question. Empty if no model is asked. */
export function formatLabelQuestion({ prompt, rubric, is_higher_better: isBetter }: LabelQuestion): string {
  if (prompt === null) return ""
  const values = rubric.map(({ label, value }) => `  ${formatScore(value)}  ${printable(label)}\n`).join("")
  const lines = prompt.split("\n").map((line) => `  ${printable(line)}\n`)
  const direction = isBetter === false ? "Lower scores are better.\n" : ""
  return `The judge is asked:\n${lines.join("")}${values === "" ? "" : `Its words and their values:\n${values}`}${direction}`
}

/** Formats one row for a person who labels it: the whole item and output. */
export function formatRowToLabel(row: LabelQueue["data"][number]): string {
  const fields = Object.entries(row.item).map(([name, value]) => {
    return `  ${printable(name)}: ${printable(typeof value === "string" ? value : JSON.stringify(value))}`
  })
  const output = row.output === null ? "" : `  → ${printable(row.output)}\n`
  return `${printable(nameOf(row))}\n${fields.join("\n")}\n${output}`
}

/** Formats labels as a table. */
export function formatLabels({ data }: LabelPage, layout: Layout): string {
  const table = formatTable(
    data,
    [
      { heading: "ROW", value: nameOf },
      { heading: "LABEL", value: ({ label }) => formatScore(label), align: "right" },
      { heading: "AUTHOR", value: ({ author }) => author ?? "–" },
      { heading: "DRAWN", value: ({ probability }) => (probability === null ? "picked" : "yes") },
      { heading: "NOTE", value: ({ note }) => cutText(note ?? "", MAX_OUTPUT) },
    ],
    layout,
  )
  return `${data.length === 0 ? "" : table}${formatCount(data.length, "label")}\n`
}

/** Formats labels as CSV, with all their fields. */
export function formatLabelsCsv({ data }: LabelPage): string {
  const names = [
    "task",
    "row_index",
    "repeat",
    "metric",
    "label",
    "author",
    "probability",
    "draw",
    "note",
    "created_at",
    "job",
    "digest",
  ]
  const cells = data.map((row) => names.map((name): CsvCell => row[name as keyof LabelRow]))
  return formatCsv([names, ...cells])
}

/** Formats what a judge says, what people say, and the corrected mean. */
export function formatLabelReport(report: LabelReport, layout: Layout): string {
  return formatFindings(report.metric, report, layout)
}

/** Formats the corrections of scores by labels that their metrics name. Empty if there are none. */
export function formatCorrections(scores: readonly ShownScore[]): string {
  const found = scores.flatMap(({ name, found: { corrected } }) =>
    corrected === undefined ? [] : [{ name, corrected }],
  )
  const shown = found.slice(0, MAX_CORRECTIONS).map(({ name, corrected }) => formatFindings(name, corrected))
  const left = found.length - MAX_CORRECTIONS
  return shown.join("\n") + (left > 0 ? `\n${formatInteger(left)} more corrected scores are in the results.\n` : "")
}

function formatFindings(name: string, findings: LabelFindings, layout?: Layout): string {
  const table = formatTable(
    labelEstimates(findings),
    [
      { heading: printable(name), value: (one) => one.name },
      { heading: "MEAN", value: ({ mean }) => formatScore(mean), align: "right" },
      { heading: "95 % INTERVAL", value: ({ interval }) => formatInterval(interval), align: "right" },
      { heading: "FROM", value: ({ from }) => from },
    ],
    layout,
  )
  const sentences = labelSentences(findings)
  return `${table}${sentences.length === 0 ? "" : `\n${sentences.map((sentence) => `${printable(sentence)}\n`).join("")}`}`
}

type LabelLocation = Pick<LabelRow, "task" | "row_index" | "repeat">

function nameOf({ task, row_index, repeat }: LabelLocation): string {
  return `${task}/${row_index}${repeat === 0 ? "" : `#${repeat}`}`
}
