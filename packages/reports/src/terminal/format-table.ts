import { printable } from "./printable.ts"
import { tone, type Tone } from "./tone.ts"

/** Columns side by side under their headings; numbers that end a unit line up on the right. */
export interface Column<T> {
  readonly heading: string
  readonly value: (row: T) => string
  readonly align?: "left" | "right"
  readonly tone?: (row: T) => Tone | undefined
}

/** What a text is laid out for. */
export interface Layout {
  /** Characters of a line of the terminal; absent: as wide as the text. */
  readonly width?: number
}

const GAP = "  "
/** Cells are not cut below this. */
const NARROWEST = 8

/** Cells that do not fit the width end in `…`: the widest first, but never the first column and no numbers. */
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

/** Takes characters from the widest column that may be cut until the line fits. */
function fitWidths(natural: readonly number[], columns: readonly Column<never>[], width: number): readonly number[] {
  const widths = [...natural]
  const total = () => widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1)
  for (let excess = total() - width; excess > 0; excess = total() - width) {
    const open = widths.flatMap((size, at) =>
      at > 0 && columns[at]?.align !== "right" && size > NARROWEST ? [at] : [],
    )
    const [widest] = open.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (widest === undefined) break
    const second = Math.max(NARROWEST, ...open.filter((at) => at !== widest).map((at) => widths[at] ?? 0))
    const size = widths[widest] ?? 0
    widths[widest] = Math.max(NARROWEST, size - excess, Math.min(size - 1, second))
  }
  return widths
}
