import { printable } from "@assay/schemas"
import { tone, type Tone } from "./tone.ts"

/** A column of a table. Numbers and their units stand on the right. */
export interface Column<T> {
  readonly heading: string
  readonly value: (row: T) => string
  readonly align?: "left" | "right"
  readonly tone?: (row: T) => Tone | undefined
}

export interface Layout {
  /** The longest line in characters. Without it, a table is as wide as its text. */
  readonly width?: number | undefined
}

const GAP = "  "
/** Cells are not cut to fewer characters. */
const MIN_WIDTH = 8

/**
 * Formats rows as a table with headings. If it is wider than the layout, the widest cells are cut first and end in `…`. The
 * first column and columns on the right are never cut. Control characters are shown as `⟨U+202E⟩`.
 */
export function formatTable<T>(rows: readonly T[], columns: readonly Column<T>[], { width }: Layout = {}): string {
  const cells = [
    columns.map(({ heading }) => heading),
    ...rows.map((row) => columns.map(({ value }) => printable(value(row)))),
  ]
  const natural = columns.map((_column, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  const widths = width === undefined ? natural : fitWidths(natural, columns, width)
  const lines = cells.map((line, index) => {
    const row = rows[index - 1]
    const shown = line.map((cell, at) => {
      const size = widths[at] ?? 0
      const text = cell.length > size ? `${cell.slice(0, Math.max(0, size - 1))}…` : cell
      const column = columns[at]
      const isLast = at === line.length - 1
      const meant = row === undefined ? "heading" : column?.tone?.(row)
      const gap = " ".repeat(Math.max(0, size - text.length))
      return column?.align === "right" ? gap + tone(meant, text) : tone(meant, text) + (isLast ? "" : gap)
    })
    return shown.join(GAP).trimEnd()
  })
  return `${lines.join("\n")}\n`
}

/** Formats one record: a line for each field, with nested values as JSON. Control characters are shown as `⟨U+202E⟩`. */
export function formatRecord(record: object): string {
  const fields = Object.entries(record)
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  const lines = fields.map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value)
    return `${name.padEnd(width)}${GAP}${printable(text)}`.trimEnd()
  })
  return `${lines.join("\n")}\n`
}

/** Aligns cells in columns without headings, one line per row. Widths are counted in grapheme clusters. */
export function alignCells(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => graphemes(row[column] ?? ""))))
  return rows.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - graphemes(cell))))
      .join(GAP)
      .trimEnd(),
  )
}

function graphemes(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length
}

/** Takes characters from the widest column that may be cut until the line fits. */
function fitWidths(natural: readonly number[], columns: readonly Column<never>[], width: number): readonly number[] {
  const widths = [...natural]
  const total = () => widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1)
  for (let excess = total() - width; excess > 0; excess = total() - width) {
    const open = widths.flatMap((size, at) =>
      at > 0 && columns[at]?.align !== "right" && size > MIN_WIDTH ? [at] : [],
    )
    const [widest] = open.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (widest === undefined) break
    const second = Math.max(MIN_WIDTH, ...open.filter((at) => at !== widest).map((at) => widths[at] ?? 0))
    const size = widths[widest] ?? 0
    widths[widest] = Math.max(MIN_WIDTH, size - excess, Math.min(size - 1, second))
  }
  return widths
}
