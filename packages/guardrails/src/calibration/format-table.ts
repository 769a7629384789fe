/** Rows as lines whose columns stand below each other, two blanks apart. */
export function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ""))))
  return rows.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
      .join("  ")
      .trimEnd(),
  )
}

function width(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length
}
