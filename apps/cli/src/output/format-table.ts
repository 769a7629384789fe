import { printable } from "./printable.ts"

/** Columns side by side under their headings; numbers that end a unit line up on the right. */
export interface Column<T> {
  readonly heading: string
  readonly value: (row: T) => string
  readonly align?: "left" | "right"
}

const GAP = "  "

export function formatTable<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const cells = [
    columns.map(({ heading }) => heading),
    ...rows.map((row) => columns.map(({ value }) => printable(value(row)))),
  ]
  const widths = columns.map((_column, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  const lines = cells.map((line) =>
    line
      .map((cell, at) =>
        columns[at]?.align === "right" ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join(GAP)
      .trimEnd(),
  )
  return `${lines.join("\n")}\n`
}
