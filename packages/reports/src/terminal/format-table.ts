import { printable } from "@assay/schemas"
import { cutMiddle, cutText } from "../text/cut-text.ts"
import { fitWidths, GAP, type FitRules } from "./fit-columns.ts"
import { tone, type Tone } from "./tone.ts"

/** A column of a table. Numbers and their units stand on the right. */
export interface Column<T> extends FitRules {
  readonly heading: string
  readonly value: (row: T) => string
  readonly tone?: (row: T) => Tone | undefined
}

export interface Layout {
  /** The longest line in characters. Without it, a table is as wide as its text. */
  readonly width?: number | undefined
  /** Milliseconds since 1970, for times such as `3 h ago`. Without it, times are printed as they are stored. */
  readonly now?: number | undefined
}

/**
 * Formats rows as a table with headings. If it is wider than the layout, columns give way as their rules say. Control characters are shown as `⟨U+202E⟩`.
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
    const shown = line.flatMap((cell, at) => {
      const size = widths[at] ?? 0
      const column = columns[at]
      if (size === 0 && width !== undefined) return []
      const text = column?.cut === "middle" ? cutMiddle(cell, size) : cutText(cell, size)
      const isLast = at === line.length - 1
      const meant = row === undefined ? "heading" : column?.tone?.(row)
      const gap = " ".repeat(Math.max(0, size - text.length))
      return [column?.align === "right" ? gap + tone(meant, text) : tone(meant, text) + (isLast ? "" : gap)]
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
