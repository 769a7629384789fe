import type { ReactElement } from "react"
import { pinnedColumns, type Column } from "./column.ts"

export interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sort: string | undefined
  /** In pixels. */
  readonly height: number
  /** The tracks of the grid. */
  readonly tracks: string
  readonly onSort: (sort: string) => void
}

/** Renders the titles of columns. A click on one that can be sorted sorts by it, and a second click turns the order around. */
export function TableHead<Row>({ columns, sort, height, tracks, onSort }: TableHeadProps<Row>): ReactElement {
  const pinned = pinnedColumns(columns)
  return (
    <div role="rowgroup" className="head" style={{ height }}>
      <div role="row" aria-rowindex={1} className="row" style={{ gridTemplateColumns: tracks, height }}>
        {columns.map((column) => {
          const direction = directionOf(column.sortBy, sort)
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={column.sortBy === undefined ? undefined : direction}
              className={cellClass(column, pinned)}
              style={{ left: pinned.get(column.id) }}
            >
              {column.sortBy === undefined ? (
                <Title column={column} />
              ) : (
                <button
                  type="button"
                  className="title"
                  title={column.title}
                  onClick={() => onSort(nextSort(column, direction))}
                >
                  <span className="cut">{column.title}</span>
                  <span aria-hidden="true" className="direction">
                    {SIGNS[direction]}
                  </span>
                </button>
              )}
              {column.below}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Title<Row>({ column: { title, onTitle } }: { readonly column: Column<Row> }): ReactElement {
  if (onTitle === undefined) return <CutTitle title={title} />
  return (
    <button type="button" className="title" title={`What all rows have in ${title}`} onClick={onTitle}>
      <span className="cut">{title}</span>
    </button>
  )
}

function CutTitle({ title }: { readonly title: string }): ReactElement {
  return (
    <span className="title">
      <span className="cut">{title}</span>
    </span>
  )
}

/** Returns the class of a cell: where its text stands, and whether it is pinned. */
export function cellClass<Row>(
  { id, align }: Pick<Column<Row>, "id" | "align">,
  pinned: ReadonlyMap<string, string>,
): string | undefined {
  const classes = [align === "end" ? "end" : "", pinned.has(id) ? "pinned" : ""].filter((one) => one !== "")
  return classes.length === 0 ? undefined : classes.join(" ")
}

type Direction = "ascending" | "descending" | "none"

const SIGNS: Readonly<Record<Direction, string>> = { ascending: "↑", descending: "↓", none: "" }

function directionOf(field: string | undefined, sort: string | undefined): Direction {
  if (field === undefined || sort === undefined || sort.replace(/^-/, "") !== field) return "none"
  return sort.startsWith("-") ? "descending" : "ascending"
}

function nextSort<Row>({ sortBy = "", sortsDown = false }: Column<Row>, direction: Direction): string {
  const isDown = direction === "none" ? sortsDown : direction === "ascending"
  return isDown ? `-${sortBy}` : sortBy
}
