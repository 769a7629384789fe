/** How a column gives way if a table is wider than the terminal. */
export interface FitRules {
  readonly align?: "left" | "right"
  /** The part that a long cell loses. Default: its end; nothing in the first column and in columns on the right. */
  readonly cut?: "end" | "middle" | "nothing"
  /** Leaves the column out if cut ends do not suffice. The lowest number goes first. */
  readonly drop?: number
}

/** The columns of a table that are shown. A width of 0 marks a column that is left out. */
export type FittedWidths = readonly number[]

/** Space between columns. */
export const GAP = "  "
/** Cells are not cut to fewer characters at their end, or in their middle. */
const MIN_WIDTH = { end: 8, middle: 16 }

/**
 * Fits the widths of columns into the width of a line: cells lose their ends, then columns are left out, then names lose their
 * middle. A table that can't be narrower than the line is wider.
 */
export function fitWidths(natural: readonly number[], columns: readonly FitRules[], width: number): FittedWidths {
  let widths = cutCells(natural, columns, { width, cut: "end" })
  const droppable = columns.flatMap(({ drop }, at) => (drop === undefined ? [] : [{ drop, at }]))
  for (const { at } of droppable.toSorted((a, b) => a.drop - b.drop)) {
    if (totalOf(widths) <= width) return widths
    const rest = natural.map((size, index) => (index === at || widths[index] === 0 ? 0 : size))
    widths = cutCells(rest, columns, { width, cut: "end" })
  }
  return cutCells(widths, columns, { width, cut: "middle" })
}

function totalOf(widths: FittedWidths): number {
  const shown = widths.filter((size) => size > 0)
  return shown.reduce((sum, one) => sum + one, 0) + GAP.length * Math.max(0, shown.length - 1)
}

/** Takes characters from the widest column that may be cut in this way until the line fits. */
function cutCells(
  natural: FittedWidths,
  columns: readonly FitRules[],
  { width, cut }: { readonly width: number; readonly cut: "end" | "middle" },
): FittedWidths {
  const widths = [...natural]
  const minimum = MIN_WIDTH[cut]
  for (let excess = totalOf(widths) - width; excess > 0; excess = totalOf(widths) - width) {
    const open = widths.flatMap((size, at) => (size > minimum && cutOf(columns[at], at) === cut ? [at] : []))
    const [widest] = open.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (widest === undefined) break
    const second = Math.max(minimum, ...open.filter((at) => at !== widest).map((at) => widths[at] ?? 0))
    const size = widths[widest] ?? 0
    widths[widest] = Math.max(minimum, size - excess, Math.min(size - 1, second))
  }
  return widths
}

function cutOf({ align, cut }: FitRules = {}, at: number): FitRules["cut"] {
  return cut ?? (at === 0 || align === "right" ? "nothing" : "end")
}
