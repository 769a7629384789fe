/** Formats a Markdown table with aligned columns, as the formatter of this repository leaves it. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? "").length)))
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`
  const pad = (cells: readonly string[]) => widths.map((width, column) => (cells[column] ?? "").padEnd(width))
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map((cells) => line(pad(cells))).join("")
}
