import type { ComparedRow, ComparedRowPage } from "@assay/schemas"
import { type CsvCell, formatCsv } from "../../formats/format-csv.ts"
import { cutText } from "../../text/cut-text.ts"
import { formatCount, formatInteger } from "../../text/format-number.ts"
import { formatTable, type Layout } from "../format-table.ts"

const MAX_OUTPUT = 40

/** Formats rows that two jobs have as a table, with the scores and outputs of both. */
export function formatComparedRows(page: ComparedRowPage, layout: Layout): string {
  const { data, metric, matched, total, only_a: onlyA, only_b: onlyB, next_offset: next } = page
  const table = formatTable(
    data,
    [
      {
        heading: "ROW",
        value: ({ task, row_index, repeat }) => `${task}/${row_index}${repeat === 0 ? "" : `#${repeat}`}`,
      },
      { heading: metric, value: ({ a, b }) => `${shown(a.score)} → ${shown(b.score)}`, align: "right" },
      { heading: "CHANGE", value: ({ difference }) => signed(difference), align: "right" },
      { heading: "OUTPUT A", value: ({ a }) => outputOf(a) },
      { heading: "OUTPUT B", value: ({ b }) => outputOf(b) },
    ],
    layout,
  )
  const all = formatCount(total, "row")
  const count = matched === total ? all : `${formatInteger(matched)} of ${all}`
  const only = `${formatInteger(onlyA)} only in the first, ${formatInteger(onlyB)} only in the second`
  const more = next === null ? "" : `; --offset ${next} shows the next`
  return `${data.length === 0 ? "no rows\n" : table}${count} in both jobs (${only})${more}\n`
}

/** Formats rows that two jobs have as CSV. */
export function formatComparedRowsCsv(
  { data, metric }: Pick<ComparedRowPage, "data" | "metric">,
  { heading }: { readonly heading: boolean },
): string {
  const first = [
    "task",
    "row_index",
    "repeat",
    `a.${metric}`,
    `b.${metric}`,
    "difference",
    "a.error",
    "b.error",
    "a.output",
    "b.output",
    "item",
  ]
  const rows = data.map(({ a, b, task, row_index, repeat, difference }): CsvCell[] => [
    task,
    row_index,
    repeat,
    a.score,
    b.score,
    difference,
    a.error?.code,
    b.error?.code,
    a.output,
    b.output,
    JSON.stringify(b.item),
  ])
  return formatCsv(heading ? [first, ...rows] : rows)
}

function outputOf({ output, error }: ComparedRow["a"]): string {
  return cutText(output ?? error?.message ?? "", MAX_OUTPUT)
}

function shown(value: number | null): string {
  return value === null ? "–" : String(Number(value.toPrecision(4)))
}

function signed(value: number | null): string {
  return value !== null && value > 0 ? `+${shown(value)}` : shown(value)
}
