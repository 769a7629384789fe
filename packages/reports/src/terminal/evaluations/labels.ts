import type { LabelPage, LabelQueue, LabelReport, LabelRow } from "@assay/schemas/labels"
import { printable } from "@assay/schemas/printable"
import { type CsvCell, formatCsv } from "../../formats/format-csv.ts"
import { cutText } from "../../text/cut-text.ts"
import { formatCount, formatInteger, formatScore } from "../../text/format-number.ts"
import { formatTable, type Layout } from "../format-table.ts"
import { formatInterval } from "./scores.ts"

const MAX_ITEM = 60
const MAX_OUTPUT = 60

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
  const { judge, people, corrected, verdict, worth, labels, metric, rows, labels_needed: needed } = report
  const lines = [
    { name: "judge alone", of: formatCount(rows, "row"), ...judge },
    ...(people === null ? [] : [{ name: "people alone", of: formatCount(labels, "label"), ...people }]),
    ...(corrected === null ? [] : [{ name: "judge, corrected by people", of: "both", ...corrected }]),
    ...(verdict?.corrected == null ? [] : [{ name: "check by sensitivity", of: "both", ...verdict.corrected }]),
  ]
  const table = formatTable(
    lines,
    [
      { heading: printable(metric), value: ({ name }) => name },
      { heading: "MEAN", value: ({ mean }) => formatScore(mean), align: "right" },
      { heading: "95 % INTERVAL", value: ({ interval }) => formatInterval(interval), align: "right" },
      { heading: "FROM", value: ({ of }) => of },
    ],
    layout,
  )
  const sentences = [
    ...(verdict === null || labels === 0 ? [] : [ratesOf(verdict)]),
    ...(worth === null
      ? []
      : [`With the judge, ${formatCount(labels, "label")} are worth ${formatInteger(worth)} without it.`]),
    ...(labels === 0 ? [neededOf(needed)] : []),
    ...report.notes,
  ]
  return `${table}${sentences.length === 0 ? "" : `\n${sentences.map((sentence) => `${printable(sentence)}\n`).join("")}`}`
}

function neededOf(needed: number | null): string {
  return needed === null
    ? "The job has too few rows for an interval of ±5 points, even if all of them are labelled."
    : `${formatInteger(needed)} labels give an interval of ±5 points even if the judge says nothing.`
}

function ratesOf({ positive, sensitivity, specificity }: NonNullable<LabelReport["verdict"]>): string {
  const rate = ({ rate: value, low, high, n }: typeof sensitivity) =>
    value === null
      ? "unknown"
      : `${formatScore(value)} (${formatScore(low)} to ${formatScore(high)}, ${formatCount(n, "label")})`
  return `Of the rows that people label ${formatScore(positive)}, the judge agrees on ${rate(sensitivity)}; of the others, on ${rate(specificity)}.`
}

type LabelPlace = Pick<LabelRow, "task" | "row_index" | "repeat">

function nameOf({ task, row_index, repeat }: LabelPlace): string {
  return `${task}/${row_index}${repeat === 0 ? "" : `#${repeat}`}`
}
