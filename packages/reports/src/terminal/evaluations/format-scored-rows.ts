import type { ScoredRow, ScoredRowPage, ScoreValue } from "@assay/schemas"
import { type CsvCell, formatCsv } from "../../formats/format-csv.ts"
import { cutText } from "../../text/cut-text.ts"
import { formatInteger } from "../../text/format-number.ts"
import { formatTable, type Layout } from "../format-table.ts"

type ShownPage = Pick<ScoredRowPage, "data" | "scores" | "matched" | "total" | "next_offset">

const MAX_OUTPUT = 80
/** More scores make the table hard to read. CSV and JSON have all. */
const MAX_SCORES = 4

/** Formats a page of scored rows as a table. A row beside another job shows both values, as `0.2 → 0.9`. */
export function formatScoredRows(
  { data, scores, matched, total, next_offset: next }: ShownPage,
  layout: Layout,
): string {
  const table = formatTable(
    data,
    [
      {
        heading: "ROW",
        value: ({ task, row_index, repeat }) => `${task}/${row_index}${repeat === 0 ? "" : `#${repeat}`}`,
      },
      ...scores.slice(0, MAX_SCORES).map((score) => ({
        heading: score,
        value: (row: ScoredRow) => scoreText(row, score),
        align: "right" as const,
      })),
      {
        heading: "LATENCY",
        value: ({ latency_ms: ms }) => (ms === null ? "" : `${Math.round(ms)} ms`),
        align: "right",
      },
      { heading: "CONDITION", value: ({ condition, error, verdict }) => condition ?? error?.code ?? verdict ?? "" },
      { heading: "OUTPUT", value: ({ output, error }) => cutText(output ?? error?.message ?? "", MAX_OUTPUT) },
    ],
    layout,
  )
  const of =
    matched === total
      ? `${formatInteger(total)} rows`
      : `${formatInteger(matched)} of ${formatInteger(total)} rows match`
  const more = next === null ? "" : `; --offset ${next} shows the next`
  return data.length === 0 ? `no rows (${of})\n` : `${table}${of}${more}\n`
}

/** Formats scored rows as CSV. Each page of a listing has the same columns. */
export function formatScoredRowsCsv({ data, scores }: ShownPage, { heading }: { readonly heading: boolean }): string {
  const first = [
    "task",
    "row_index",
    "repeat",
    "attempt",
    ...scores,
    "latency_ms",
    "condition",
    "verdict",
    "error",
    "output",
    "item",
  ]
  const rows = data.map((row): CsvCell[] => [
    row.task,
    row.row_index,
    row.repeat,
    row.attempt,
    ...scores.map((score) => valueOf(row, score)),
    row.latency_ms,
    row.condition,
    row.verdict,
    row.error?.code,
    row.output,
    JSON.stringify(row.item),
  ])
  return formatCsv(heading ? [first, ...rows] : rows)
}

function scoreText(row: ScoredRow, score: string): string {
  const value = shown(valueOf(row, score))
  return row.against === undefined
    ? value
    : `${shown(row.against === null ? undefined : valueOf(row.against, score))} → ${value}`
}

function valueOf({ scores }: Pick<ScoredRow, "scores">, score: string): ScoreValue | undefined {
  for (const [metric, values] of Object.entries(scores)) {
    if (score.startsWith(`${metric}.`)) {
      const value = values[score.slice(metric.length + 1)]
      if (value !== undefined) return value
    }
  }
  return undefined
}

function shown(value: ScoreValue | undefined): string {
  return typeof value === "number" ? String(Number(value.toPrecision(4))) : (value ?? "–")
}
