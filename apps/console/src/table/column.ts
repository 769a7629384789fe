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
  /** Called for a click on the title of a column that can't be sorted, to show more of it. */
  readonly onTitle?: () => void
  readonly render: (row: Row, index: number) => ReactNode
  /** The value as text, for copies. */
  readonly text: (row: Row) => string | number | null
  /** Shown below the title, such as a histogram. */
  readonly below?: ReactNode
  /** Stays at the left edge while the table scrolls sideways. For the first columns, if their width is fixed. Default false. */
  readonly isPinned?: boolean
  /** Hidden until somebody chooses it. Default false. */
  readonly isExtra?: boolean
  /** Its place in the rows of a phone, if a column is their `title`. Absent: a phone does not show it. */
  readonly narrow?: NarrowPlace
  /** The words before the value in a row of a phone, which has no titles. Default: none. */
  readonly narrowWords?: string
}

/** A place in a row of a phone: before both lines, the first line and its end, or the second line with others. */
export type NarrowPlace = "mark" | "title" | "end" | "below"

/** Returns the ids of the columns that are hidden. @param hide the choice in the address: ids separated by commas */
export function hiddenColumns<Row>(columns: readonly Column<Row>[], hide: string | undefined): ReadonlySet<string> {
  return new Set(hide?.split(",") ?? columns.flatMap(({ id, isExtra }) => (isExtra === true ? [id] : [])))
}

/** Returns the choice for the address. Undefined if these columns are hidden without a choice. */
export function hideChoice<Row>(columns: readonly Column<Row>[], hidden: ReadonlySet<string>): string | undefined {
  const usual = hiddenColumns(columns, undefined)
  const isUsual = columns.every(({ id }) => usual.has(id) === hidden.has(id))
  return isUsual ? undefined : [...hidden].join(",")
}

/** Returns the distance of pinned columns from the left edge, by id. Those after a column that is not pinned are not pinned either. */
export function pinnedColumns<Row>(columns: readonly Column<Row>[]): ReadonlyMap<string, string> {
  const pinned = new Map<string, string>()
  let left = 0
  for (const { id, width, isPinned } of columns) {
    if (isPinned !== true || width.startsWith("minmax")) break
    pinned.set(id, `${left}rem`)
    left += Number.parseFloat(width)
  }
  return pinned
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
