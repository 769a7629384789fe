import type { ProfileColumn, RowProfile } from "@assay/schemas"
import { formatTable, type Layout } from "../format-table.ts"
import { formatInteger } from "../../text/format-number.ts"
import { formatRowNotes } from "./format-row-report.ts"

const SHOWN_VALUES = 3
const MAX_CHARACTERS = 24

/**
 * Formats rows per file, then one line per column.
 * @param nameOf formats a file as the user writes it
 */
export function formatRowProfile(
  { files, columns, columns_truncated }: RowProfile,
  nameOf: (path: string) => string,
  layout: Layout = {},
): string {
  const table = formatTable(files, [
    { heading: "FILE", value: ({ path }) => nameOf(path) },
    { heading: "ROWS", value: ({ rows }) => formatInteger(rows), align: "right" },
    { heading: "UNREADABLE", value: ({ unreadable }) => formatInteger(unreadable), align: "right" },
  ])
  const details = formatTable(
    columns,
    [
      { heading: "COLUMN", value: ({ pointer }) => (pointer === "" ? "(row)" : pointer) },
      { heading: "TYPES", value: formatTypes },
      { heading: "MISSING", value: ({ missing }) => formatInteger(missing), align: "right" },
      { heading: "DISTINCT", value: formatDistinct, align: "right" },
      { heading: "RANGE", value: formatRange },
      { heading: "LENGTH", value: formatLengths },
      { heading: "MOST FREQUENT", value: formatTop },
    ],
    layout,
  )
  const more = columns_truncated ? "\nmore columns are not shown\n" : ""
  const notes = files.flatMap((file) => formatRowNotes(file, nameOf))
  return [table, ...(notes.length === 0 ? [] : [`${notes.join("\n")}\n`]), `${details}${more}`].join("\n")
}

function formatTypes({ types }: ProfileColumn): string {
  const found = Object.entries(types)
  const [only] = found
  if (found.length === 1 && only !== undefined) return only[0]
  return found.map(([type, times]) => `${type} ${formatInteger(times)}`).join(", ")
}

function formatDistinct({ distinct, estimated }: ProfileColumn): string {
  return `${estimated ? "~" : ""}${formatInteger(distinct)}`
}

function formatRange({ min, max }: ProfileColumn): string {
  return min === null || max === null ? "" : `${short(min)} to ${short(max)}`
}

function formatLengths({ lengths }: ProfileColumn): string {
  return lengths === null
    ? ""
    : `${formatInteger(lengths.min)} to ${formatInteger(lengths.max)}, mean ${short(lengths.mean)}`
}

function formatTop({ top, estimated }: ProfileColumn): string {
  return top
    .slice(0, SHOWN_VALUES)
    .map(
      ({ value, count: times }) => `${shortened(JSON.stringify(value))} ${estimated ? "~" : ""}${formatInteger(times)}`,
    )
    .join(", ")
}

function shortened(text: string): string {
  const characters = Array.from(text)
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…`
}

/** Formats a number with at most four significant digits; `--json` has all of them. */
function short(value: number): string {
  return Number.isInteger(value) ? formatInteger(value) : String(Number(value.toPrecision(4)))
}
