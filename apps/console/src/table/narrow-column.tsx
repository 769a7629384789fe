import type { Column, NarrowPlace } from "./column.ts"

/** The height of a row of two lines, in pixels. */
export const NARROW_ROW_HEIGHT = 60

/**
 * Returns the only column of a table on a phone: a row as two lines. It is sorted by the column by which the table is sorted.
 * Undefined if no column is the title of a row: such a table scrolls sideways.
 */
export function narrowColumn<Row>(columns: readonly Column<Row>[], sort: string | undefined): Column<Row> | undefined {
  const of = (place: NarrowPlace) => columns.filter(({ narrow }) => narrow === place)
  const [title] = of("title")
  if (title === undefined) return undefined
  const [marks, ends, below] = [of("mark"), of("end"), of("below")]
  const by = columns.find(({ sortBy }) => sortBy !== undefined && sortBy === sort?.replace(/^-/u, ""))
  const { sortBy, sortsDown = false } = by ?? title
  const part = (row: Row, index: number) => (column: Column<Row>) => (
    <span key={column.id}>
      {column.narrowWords === undefined ? null : `${column.narrowWords} `}
      {column.render(row, index)}
    </span>
  )
  return {
    id: "narrow",
    title: (by ?? title).title,
    width: "minmax(12rem, 1fr)",
    ...(sortBy === undefined ? {} : { sortBy, sortsDown }),
    render: (row, index) => (
      <div className="narrow-row">
        {marks.map(part(row, index))}
        <div>
          <div className="first">
            <span className="cut">{title.render(row, index)}</span>
            {ends.map(part(row, index))}
          </div>
          <div className="below soft cut">
            {below.filter(({ text }) => text(row) !== null && text(row) !== "").map(part(row, index))}
          </div>
        </div>
      </div>
    ),
    text: title.text,
  }
}
