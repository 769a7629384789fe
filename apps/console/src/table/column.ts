import type { ReactNode } from "react"

/** A column of a table. */
export interface Column<Row> {
  readonly id: string
  readonly title: string
  /** The track of the grid: `minmax(8rem, 2fr)` or `6rem`. */
  readonly width: `minmax(${number}rem, ${number}fr)` | `${number}rem`
  /** Numbers stand at the end. Default `start`. */
  readonly align?: "start" | "end"
  /** The field to sort by. Absent: the column can't be sorted. */
  readonly sortBy?: string
  /** Sort with the largest value first when the heading is clicked for the first time. Default false. */
  readonly sortsDown?: boolean
  readonly render: (row: Row, index: number) => ReactNode
  /** The value as text, for copies. */
  readonly text: (row: Row) => string | number | null
  /** Shown below the title, such as a histogram. */
  readonly below?: ReactNode
}

/** Returns the width below which a table scrolls sideways, as a length of CSS. */
export function leastWidth<Row>(columns: readonly Column<Row>[]): string {
  const sum = columns.reduce((all, { width }) => all + Number(/[\d.]+/u.exec(width)?.[0] ?? 0), 0)
  return `calc(${sum}rem + 12px)`
}

/** Returns the widths of columns as the tracks of a grid. */
export function tracksOf<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ width }) => width).join(" ")
}
