import { cutMiddle, type DifferingRow, printable, type RowDiff } from "@assay/schemas"
import { formatInteger } from "../../text/format-number.ts"
import type { Layout } from "../format-table.ts"

const SIGNS = { added: "+", removed: "-", changed: "~" } as const
const WIDTH = 80
/** Columns of a changed row that are shown. */
const MAX_CELLS = 20

/** Formats what differs between the rows of files, one line for a row and one for each changed cell. */
export function formatRowDiffs(files: readonly RowDiff[], layout?: Layout): string {
  if (files.length === 0) return "no rows differ: no file with rows does\n"
  const width = layout?.width ?? WIDTH
  return files.map((file) => formatFile(file, width)).join("\n")
}

function formatFile({ path, data, key, ...counts }: RowDiff, width: number): string {
  const { added, removed, changed, same, unreadable } = counts
  const listed = data.flatMap((row) => formatRow(row, width))
  const left = added + removed + changed - data.length
  const unread = unreadable.from + unreadable.to
  const ofKey = key === null ? "" : `, ${formatInteger(changed)} changed`
  const total = `${formatInteger(added)} added, ${formatInteger(removed)} removed${ofKey}, ${formatInteger(same)} the same`
  return [
    printable(path),
    ...listed,
    ...(left > 0 ? [`… and ${formatInteger(left)} more`] : []),
    ...(unread > 0 ? [`not compared: ${formatInteger(unread)} rows that can't be read`] : []),
    total,
    "",
  ].join("\n")
}

/** Rows are named by their index from 0, as in all listings of rows. */
function formatRow({ change, from_index, to_index, row, cells = [] }: DifferingRow, width: number): readonly string[] {
  const number = (index: number | null) => (index === null ? "" : formatInteger(index))
  const name = `${SIGNS[change]} ${number(change === "removed" ? from_index : to_index)}`
  if (change !== "changed") return [cutEnd(`${name}  ${shownValue(row)}`, width)]
  const moved = from_index === to_index ? "" : `  (was ${number(from_index)})`
  const left = cells.length - MAX_CELLS
  return [
    `${name}${moved}`,
    ...cells.slice(0, MAX_CELLS).map((cell) => formatCell(cell, width)),
    ...(left > 0 ? [`    … and ${left} more columns`] : []),
  ]
}

function formatCell({ column, from, to }: NonNullable<DifferingRow["cells"]>[number], width: number): string {
  const name = column === "" ? "" : `${cutMiddle(printable(column), 24)}: `
  const room = Math.max(8, Math.floor((width - 4 - name.length - 3) / 2))
  return `    ${name}${cutMiddle(shownValue(from), room)} → ${cutMiddle(shownValue(to), room)}`
}

function shownValue(value: unknown): string {
  return value === undefined ? "–" : printable(JSON.stringify(value))
}

function cutEnd(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
